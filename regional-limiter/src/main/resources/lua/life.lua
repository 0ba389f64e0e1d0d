-- Of which life the region's data is: it ends when the data is wiped, and when its server is another or was restarted, because
-- nobody knows then what was lost.
--
-- KEYS   [1] the life: its number (8 bytes), whether it began with nothing (1: w, else k) and the run id of the server that has it
-- ARGV   [1] the run id of the server [2] the number of the last life that the caller knows, as text; 0 if none
-- Reply  the number, 8 bytes: the region's time in microseconds at which the life began; and 1 byte: w if it began with nothing
-- Why a script: of several instances that find the life ended, one begins the next.
local time = redis.call('TIME')
local life = redis.call('GET', KEYS[1])
if life and string.sub(life, 10) == ARGV[1] then return string.sub(life, 1, 9) end
local number = time[1] * 1000000 + time[2]
-- Larger than any before, also where the data is gone and the clock was set back.
local last = tonumber(ARGV[2])
if life then last = math.max(last, (struct.unpack('>I8', life))) end
if number <= last then number = last + 1 end
local begun = struct.pack('>I8', number) .. (life and 'k' or 'w')
redis.call('SET', KEYS[1], begun .. ARGV[1])
return begun
