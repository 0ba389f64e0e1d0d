-- A turn: groups of asks, one after another, each all or nothing. What Turn is in Java, over many groups.
--
-- KEYS   see call.lua
-- ARGV   [1] the asks, one after another; an ask, all whole numbers big-endian:
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

local function answer(algorithm, kind, key, list, raw, pos)
    if algorithm == 0 then return fixedWindow(key, raw, kind, pos) end
    if algorithm == 1 then return slidingWindow(key, raw, kind, pos, list) end
    if algorithm == 2 then return slidingWindow(key, raw, kind, pos) end
    if algorithm == 3 then return slidingWindowEstimate(key, raw, kind, pos) end
    return bucket(key, raw, kind, pos, algorithm == 5)
end

local function read(index)
    local raw = written[KEYS[index]]
    if raw == nil then raw = values[index] end
    return raw
end

local replies, count = { pack('>I8', now) }, 1

local function reply(admitted, remaining, reset, wait, ahead, untilMicros)
    count = count + 1
    replies[count] = ahead and pack('>BI8I8i8I8I8', 3, remaining, reset, wait, ahead, untilMicros)
        or pack('>BI8I8i8', admitted, remaining, reset, wait)
end

local function act(algorithm, kind, index, pos, refused)
    local key, raw, list = KEYS[index], read(index), algorithm == 1 and KEYS[index + 1]
    if kind == RESET then
        call('DEL', key)
        if list then call('DEL', list) end
        written[key], raw, kind = false, false, PEEK
    elseif refused and kind <= TAKE_AHEAD then
        kind = PEEK
    end
    reply(answer(algorithm, kind, key, list, raw, pos))
end

-- Where the next ask begins.
local function after(algorithm, kind, pos)
    local size = algorithm >= 4 and 42 or 26
    if kind == TAKE_AHEAD then size = size + 16 elseif kind == GIVE_BACK then size = size + 8 end
    return pos + size
end

local pos, index, stop = 1, 1, #args
while pos <= stop do
    local from, fromIndex, refused, grouped = pos, index, false, byte(args, pos) >= 8
    -- Of a group, first whether any take that counts is refused; a group of one needs no second look.
    if grouped then
        local more = true
        while more do
            local algorithm, kind = byte(args, pos, pos + 1)
            more = algorithm >= 8
            algorithm = algorithm % 8
            if kind <= TAKE_AHEAD and not refused then
                local list = algorithm == 1 and KEYS[index + 1]
                refused = answer(algorithm, PEEK, KEYS[index], list, read(index), pos + 2) == 0
            end
            pos, index = after(algorithm, kind % 8, pos), index + (algorithm == 1 and 2 or 1)
        end
        pos, index = from, fromIndex
    end
    local more = true
    while more do
        local algorithm, kind = byte(args, pos, pos + 1)
        more = algorithm >= 8
        algorithm, kind = algorithm % 8, kind % 8
        act(algorithm, kind, index, pos + 2, refused)
        pos, index = after(algorithm, kind, pos), index + (algorithm == 1 and 2 or 1)
    end
end
return table.concat(replies)
