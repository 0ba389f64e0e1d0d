-- A turn: groups of asks, one after another, each all or nothing. What Turn is in Java, over many groups.
--
-- KEYS   see call.lua
-- ARGV   [1] 1 byte, 1 if a key may come twice, and the asks, one after another; an ask, all whole numbers big-endian:
--          1 byte   the algorithm (AlgorithmCode); 8 more if another ask of the same group follows
--          1 byte   take 0, take with a lease ahead 1, peek 2, give back 3, settle 4, reset 5; 8 more if it is shadow
--          8 bytes each: cost, capacity, and the terms: of a bucket units per token, units per tick and tick in
--                   microseconds, else the window in microseconds, 0 for a calendar month
--          8 bytes each: of a lease ahead the wish and its horizon in microseconds, of a give back the time of taking
-- Reply  one string: the region's time in microseconds (8 bytes), then for every ask
--          1 byte   refused 0, admitted 1, admitted with a lease ahead 3
--          8 bytes each: remaining, reset and wait in microseconds (-1: never); of a lease ahead its units and its end
-- Why a script: see call.lua
local values = call('MGET', spread(KEYS))

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

-- How long an ask is after its first two bytes.
local function length(algorithm, kind)
    return (algorithm >= 4 and 40 or 24) + (kind == TAKE_AHEAD and 16 or kind == GIVE_BACK and 8 or 0)
end

-- Whether a take of the group that begins here is refused; shadow takes are not asked.
local function isRefused(pos, index)
    local algorithm, kind
    repeat
        algorithm, kind = byte(args, pos, pos + 1)
        local own = algorithm % 8
        if kind <= TAKE_AHEAD and answer(own, PEEK, index, read(index), pos + 2) == 0 then return true end
        pos, index = pos + 2 + length(own, kind % 8), index + (own == 1 and 2 or 1)
    until algorithm < 8
    return false
end

local replies, count = { pack('>I8', now) }, 1
local pos, index, stop, within, refused = 2, 1, #args, false, false
while pos <= stop do
    local algorithm, kind = byte(args, pos, pos + 1)
    local more = algorithm >= 8
    -- A group of one needs no second look.
    if not within then refused = more and isRefused(pos, index) end
    within = more
    if more then algorithm = algorithm - 8 end
    if kind >= 8 then kind = kind - 8 end
    local from = pos + 2
    pos = from + length(algorithm, kind)
    local raw = false
    if kind == RESET then
        reset(algorithm, index)
        kind = PEEK
    else
        raw = read(index)
        if refused and kind <= TAKE_AHEAD then kind = PEEK end
    end
    local admitted, remaining, resetMicros, wait, ahead, untilMicros = answer(algorithm, kind, index, raw, from)
    count = count + 1
    replies[count] = ahead and pack('>BI8I8i8I8I8', 3, remaining, resetMicros, wait, ahead, untilMicros)
        or pack('>BI8I8i8', admitted, remaining, resetMicros, wait)
    index = index + (algorithm == 1 and 2 or 1)
end
return table.concat(replies)
