-- The head of every script but incarnation.lua: the time, commands, and helpers of all parts. CounterScript puts the parts of the
-- script that counts together, in the order lib/call, algorithm/*, lib/account, algorithm/global, count. Names in capitals that no
-- part defines are constants shared with Java: ScriptConstants has them, and Script writes their values in their place.
--
-- KEYS   of every request, in order, the key of its counter; of sliding_window_log also the key of its list; last, if the caller
--        knows an incarnation, the key that names the incarnation of the region's data (incarnation.lua)
-- ARGV   [1] the requests, packed, [2] the incarnation: see count.lua
-- Reply  one string, packed: see count.lua
-- Why a script: a counter is read, judged and written as one, and all requests of one turn of an event loop cost one call.
--
-- Numbers are doubles: every whole number here, as in the pure algorithms, stays within 2^53. `a - a % b` stands where
-- Java divides: for whole numbers below 2^53 it is exact.
local spread, call, pack, unpack = unpack, redis.call, struct.pack, struct.unpack
local sub, byte = string.sub, string.byte
local time = call('TIME') local now = time[1] * 1000000 + time[2] -- the region's time, read here and nowhere else
local args = ARGV[1]

-- Where a key may come twice, what this call wrote, by key: the values read at its start are old for these.
local written = byte(args) == 1 and {}
local keptMillis, keptText

-- The milliseconds after which nothing of what lasts until `untilMicros` is left, as text: most requests of a call share it.
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

-- Whether the region's data is of the incarnation that the caller knows; a caller that knows none does not ask.
local function isCurrent(incarnation)
    return ARGV[2] == '' or incarnation and sub(incarnation, 1, 8) == ARGV[2]
end

-- The error for a caller that names another incarnation.
local function staleIncarnation()
    return redis.error_reply(STALE_INCARNATION .. ' the data of this region is of another incarnation')
end

-- The units of `capacity` that are left where `used` are used.
local function left(used, capacity)
    return used < capacity and capacity - used or 0
end

-- The units without which a request is refused: one, where it only asks how a limit stands.
local function needed(request)
    return request.cost > 0 and request.cost or 1
end

-- When the units of a refund were taken, which no clock may put ahead of now.
local function takenAt(request)
    return request.taken < now and request.taken or now
end

-- A lease ahead: one part in LEASE_SHARE of the free units, at most as many as wished for, until its horizon or `stop`. Zero and
-- zero if none.
local function leaseAhead(free, request, stop)
    local units = (free - free % LEASE_SHARE) / LEASE_SHARE
    if units > request.wish then units = request.wish end
    if units == 0 then return 0, 0 end
    local untilMicros = now + request.horizon
    return units, untilMicros < stop and untilMicros or stop
end
