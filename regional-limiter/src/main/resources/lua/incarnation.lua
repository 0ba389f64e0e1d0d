-- The incarnation of the region's data: it ends when the data is wiped, and when its server is another or was restarted, because
-- nobody knows then what was lost. It also ends when the server has another replication history: one that was a replica meanwhile
-- took over what its master had, which may be older, and keeps its run id. A server takes another replication id when it becomes
-- a master, and also when it gets its first replica, or had none for an hour (repl-backlog-ttl): then it ends for no other reason.
--
-- KEYS   [1] the incarnation: its number (8 bytes), whether it began without data (1: WIPED, else k) and the run id of the server
--        [2] the server's replication history when it began: the number of the incarnation (8 bytes), replication id, space, offset.
--            A key of its own, because builds before it compare the whole rest of the first one with their run id
-- ARGV   [1] the number of the last incarnation that the caller knows, as text; 0 if none
-- Reply  the number, 8 bytes: the region's time in microseconds at which it began; and 1 byte: WIPED if it began without data
-- Why a script: of several instances that find the incarnation ended, one begins the next. The server says in here which one it is:
-- what an instance had read before might be of another by the time it comes here.
local function info(section, name)
    return string.match(redis.call('INFO', section), name .. ':(%w+)')
end

local run = info('server', 'run_id') or 'unknown'
local replication = info('replication', 'master_replid') or 'unknown'
local offset = info('replication', 'master_repl_offset') or '0'
local time = redis.call('TIME')
local current = redis.call('GET', KEYS[1])
local history = replication .. ' ' .. offset
if current and string.sub(current, 10) == run then
    local number = string.sub(current, 1, 8)
    local origin = redis.call('GET', KEYS[2])
    if not origin or string.sub(origin, 1, 8) ~= number then
        -- A build before this one began it.
        redis.call('SET', KEYS[2], number .. history)
        return string.sub(current, 1, 9)
    end
    local id, begunAt = string.match(string.sub(origin, 9), '^(.*) (%d+)$')
    if id == replication and tonumber(begunAt) <= tonumber(offset) then return string.sub(current, 1, 9) end
end
local number = time[1] * 1000000 + time[2]
-- Larger than any before, also where the data is gone and the clock was set back.
local last = tonumber(ARGV[1])
if current then last = math.max(last, (struct.unpack('>I8', current))) end
if number <= last then number = last + 1 end
local packed = struct.pack('>I8', number)
local begun = packed .. (current and 'k' or WIPED)
redis.call('SET', KEYS[1], begun .. run)
redis.call('SET', KEYS[2], packed .. history)
return begun
