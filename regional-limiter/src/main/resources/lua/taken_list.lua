-- SlidingWindowLog with more entries than a string should hold: a header and a list that is never rewritten.
--
-- KEYS   the header: seen in microseconds (7 bytes), used (3), base (3), oldest (7) and newest time (7);
--        the list, oldest first: time (7), count (3)
-- ARGV   cost, capacity, window in microseconds, 8 bytes each; see turn.lua
-- Reply  admitted, remaining, reset, wait
-- Why a script: see call.lua
--
-- An entry holds the running count after it was taken, modulo 2^24, and the base is the running count of what is no longer
-- used: expiring and giving back only move the base, and both boundaries can be searched for.
local COUNTS = 16777216
local CHUNK = 32

local function writeList(key, list, seen, used, base, oldest, newest, window)
    keep(key, pack('>I7I3I3I7I7', seen, used, base, oldest, newest), newest + window)
    call('PEXPIRE', list, millis(newest + window))
end

-- The first entry from index `from` on that passes, of entries of which all after such a one pass; nil if none does.
local function firstThat(list, from, passes)
    local entries = call('LRANGE', list, from, from + CHUNK - 1)
    for i = 1, #entries do
        local at, count = unpack('>I7I3', entries[i])
        if passes(at, count) then return from + i - 1, at end
    end
    local low, high, found = from + #entries, call('LLEN', list) - 1, nil
    while low <= high do
        local middle = math.floor((low + high) / 2)
        local at, count = unpack('>I7I3', call('LINDEX', list, middle))
        if passes(at, count) then
            high, found = middle - 1, at
        else
            low = middle + 1
        end
    end
    return found and low, found
end

-- Whoever writes a log of nothing or of one entry writes it as a string.
local function takenList(key, list, raw, kind, pos, writeString)
    local cost, capacity, window = unpack('>I8I8I8', args, pos)
    local seen, used, base, oldest, newest = unpack('>I7I3I3I7I7', raw)
    if now > seen then seen = now end
    local expired, first = seen - window, 0
    if newest <= expired then
        used = 0
    elseif oldest <= expired then
        local index, at = firstThat(list, 0, function(time, count)
            local rank = (count - base) % COUNTS
            return time > expired and rank > 0 and rank <= used
        end)
        if not index then
            used = 0
        elseif index > 0 then
            local _, count = unpack('>I7I3', call('LINDEX', list, index - 1))
            local rank = (count - base) % COUNTS
            if rank <= used then base, used = count, used - rank end
            first, oldest = index, at
        end
    end
    local free = used < capacity and capacity - used or 0
    if kind <= PEEK then
        local needed = cost > 0 and cost or 1
        local reset = used > 0 and newest + window or now
        if needed > capacity then return 0, free, reset, NEVER end
        if needed > free then
            local excess = used + needed - capacity
            local _, at = firstThat(list, first, function(_, count)
                local rank = (count - base) % COUNTS
                return rank >= excess and rank <= used
            end)
            return 0, free, reset, (at or newest) + window - now
        end
        if kind == PEEK or cost == 0 then return 1, free, reset, 0 end
    elseif kind == SETTLE then
        if cost > free then cost = free end
        if cost == 0 then return 1, free, used > 0 and newest + window or now, 0 end
    end
    local took = kind ~= GIVE_BACK
    if kind == GIVE_BACK then
        local taken = unpack('>I8', args, pos + 24)
        if taken > now then taken = now end
        if taken > expired then
            if cost > used then cost = used end
            base, used = (base + cost) % COUNTS, used - cost
        end
    end
    if used == 0 then
        call('DEL', list)
        used = took and cost or 0
        writeString(key, seen, used, seen, used, '', 1, window)
        newest = seen
    else
        if first > 0 then call('LTRIM', list, first, -1) end
        if took then
            used = used + cost
            call('RPUSH', list, pack('>I7I3', seen, (base + used) % COUNTS))
            newest = seen
        end
        writeList(key, list, seen, used, base, oldest, newest, window)
    end
    return 1, used < capacity and capacity - used or 0, used > 0 and newest + window or now, 0
end

-- Moves the entries of a string, of which the first is already read, into a list.
local function toList(key, list, seen, used, at, cost, entries, pos, window)
    call('DEL', list)
    local oldest, count = at, cost
    call('RPUSH', list, pack('>I7I3', at, count))
    while pos <= #entries do
        at, cost, pos = unpack('>I7I3', entries, pos)
        count = count + cost
        call('RPUSH', list, pack('>I7I3', at, count))
    end
    writeList(key, list, seen, used, 0, oldest, at, window)
end
