-- The head of the script that counts: what every part of it uses. The parts are put together in the order
-- call, fixed_window, sliding_window_estimate, bucket, taken_list, sliding_window, book, shared, turn (TurnScript), and turn
-- answers.
--
-- KEYS   of every ask, in order, the key of its counter; of sliding_window_log also the key of its list; last, if the caller
--        knows a life, the key under which the region's data says of which life it is (life.lua)
-- ARGV   [1] the asks, packed, [2] the life: see turn.lua
-- Reply  one string, packed: see turn.lua
-- Why a script: a counter is read, judged and written as one, and all asks of one turn of an event loop cost one call.
--
-- Numbers are doubles: every whole number here, as in the pure algorithms, stays within 2^53. `a - a % b` stands where
-- Java divides: for whole numbers below 2^53 it is exact.
local spread, call, pack, unpack = unpack, redis.call, struct.pack, struct.unpack
local sub, byte = string.sub, string.byte
local time = call('TIME') local now = time[1] * 1000000 + time[2] -- the region's time, read here and nowhere else
local args = ARGV[1]

-- What is asked of a counter; 8 more for a take that stands in nobody's way (shadow).
local TAKE_AHEAD, PEEK, GIVE_BACK, SETTLE, RESET = 1, 2, 3, 4, 5
-- The wait for what no waiting will admit.
local NEVER = -1

-- Where a key may come twice, what this call wrote, by key: the values read at its start are old for these.
local written = byte(args) == 1 and {}
local keptMillis, keptText

-- The milliseconds after which nothing of what lasts until `untilMicros` is left, as text: most asks of a call share it.
local function millis(untilMicros)
    local rest = untilMicros - now
    local whole = rest > 0 and (rest - rest % -1000) / 1000 or 1
    if whole ~= keptMillis then
        keptMillis, keptText = whole, string.format('%.0f', whole)
    end
    return keptText
end

-- Writes a counter that is as good as untouched from `untilMicros` on.
local function keep(key, value, untilMicros)
    if written then written[key] = value end
    call('SET', key, value, 'PX', millis(untilMicros))
end

-- Whether the region's data is of the life that the caller knows; one who knows none does not ask.
local function isAlive(life)
    return ARGV[2] == '' or life and sub(life, 1, 8) == ARGV[2]
end
