-- A turn: groups of asks, one after another, each all or nothing. What Turn is in Java, over many groups.
--
-- KEYS   see call.lua
-- ARGV   [1] 1 byte, 1 if a key may come twice, and the asks, one after another; an ask, all whole numbers big-endian:
--          1 byte   the algorithm (AlgorithmCode); 8 more if another ask of the same group follows, 16 more if regions share
--                   the limit
--          1 byte   take 0, take with a lease ahead 1, peek 2, give back 3, settle 4, reset 5; 8 more if it is shadow
--          8 bytes each: cost, capacity, and the terms: of a bucket units per token, units per tick and tick in
--                   microseconds, else the window in microseconds, 0 for a calendar month
--          8 bytes each: of a lease ahead the wish and its horizon in microseconds, of a give back the time of taking
--          of a limit that regions share, more: see shared.lua
--        [2] the life of the region's data that the caller knows, if it knows one: 8 bytes
-- Reply  one string: the region's time in microseconds (8 bytes), then for every ask
--          1 byte   refused 0, admitted 1, admitted with a lease ahead 3; 4 more if regions share the limit
--          8 bytes each: remaining, reset and wait in microseconds (-1: never); of a lease ahead its units and its end; of a
--                   limit that regions share what this one took and gave back, what the others used, and what it holds
--        or the error LIFE if the region's data is of another life
-- Why a script: see call.lua
local values = call('MGET', spread(KEYS))
if ARGV[2] and not isAlive(values[#KEYS]) then return redis.error_reply('LIFE') end

local function answer(algorithm, kind, index, raw, pos)
    if algorithm == 0 then return fixedWindow(KEYS[index], raw, kind, pos) end
    if algorithm >= 4 then return bucket(KEYS[index], raw, kind, pos, algorithm == 5) end
    if algorithm == 2 then return slidingWindow(KEYS[index], raw, kind, pos) end
    if algorithm == 3 then return slidingWindowEstimate(KEYS[index], raw, kind, pos) end
    return slidingWindow(KEYS[index], raw, kind, pos, KEYS[index + 1])
end

local function read(index)
    local raw
    if written then raw = written[KEYS[index]] end
    if raw == nil then raw = values[index] end
    return raw
end

local function reset(algorithm, index)
    call('DEL', KEYS[index])
    if algorithm == 1 then call('DEL', KEYS[index + 1]) end
    if written then written[KEYS[index]] = false end
end

-- How long an ask is that begins here, after its first two bytes.
local function length(algorithm, kind, pos, isShared)
    local own = (algorithm >= 4 and 40 or 24) + (kind == TAKE_AHEAD and 16 or kind == GIVE_BACK and 8 or 0)
    return isShared and own + sharedLength(pos + own) or own
end

-- Whether a take of the group that begins here is refused; shadow takes are not asked.
local function isRefused(pos, index)
    local algorithm, kind
    repeat
        algorithm, kind = byte(args, pos, pos + 1)
        local own, isShared = algorithm % 8, algorithm >= 16
        if kind <= TAKE_AHEAD then
            local admitted
            if isShared then
                admitted = sharedTurn(KEYS[index], PEEK, kind, pos + 2, own, false)
            else
                admitted = answer(own, PEEK, index, read(index), pos + 2)
            end
            if admitted == 0 then return true end
        end
        pos = pos + 2 + length(own, kind % 8, pos + 2, isShared)
        index = index + ((own == 1 and not isShared) and 2 or 1)
    until algorithm % 16 < 8
    return false
end

local replies, count = { pack('>I8', now) }, 1
local pos, index, stop, within, refused = 2, 1, #args, false, false
while pos <= stop do
    local algorithm, kind = byte(args, pos, pos + 1)
    local isShared, more = algorithm >= 16, algorithm % 16 >= 8
    -- A group of one needs no second look.
    if not within then refused = more and isRefused(pos, index) end
    within = more
    algorithm = algorithm % 8
    if kind >= 8 then kind = kind - 8 end
    local from = pos + 2
    pos = from + length(algorithm, kind, from, isShared)
    count = count + 1
    if isShared then
        local own = (refused and kind <= TAKE_AHEAD) and PEEK or kind
        local admitted, remaining, resetMicros, wait, ahead, untilMicros, taken, returned, elsewhere, held =
            sharedTurn(KEYS[index], own, kind, from, algorithm, true)
        replies[count] = ahead
            and pack('>BI8I8i8I8I8I8I8I8I8', 7, remaining, resetMicros, wait, ahead, untilMicros, taken, returned, elsewhere,
                held)
            or pack('>BI8I8i8I8I8I8I8', admitted + 4, remaining, resetMicros, wait, taken, returned, elsewhere, held)
        index = index + 1
    else
        local raw = false
        if kind == RESET then
            reset(algorithm, index)
            kind = PEEK
        else
            raw = read(index)
            if refused and kind <= TAKE_AHEAD then kind = PEEK end
        end
        local admitted, remaining, resetMicros, wait, ahead, untilMicros = answer(algorithm, kind, index, raw, from)
        replies[count] = ahead and pack('>BI8I8i8I8I8', 3, remaining, resetMicros, wait, ahead, untilMicros)
            or pack('>BI8I8i8', admitted, remaining, resetMicros, wait)
        index = index + (algorithm == 1 and 2 or 1)
    end
end
return table.concat(replies)
