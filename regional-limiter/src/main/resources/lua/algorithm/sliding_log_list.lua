-- SlidingLog with more entries than a string should hold: a header and a list that is never rewritten.
--
-- KEYS   the header: seen in microseconds (7 bytes), used (3), base (3), oldest (7) and newest time (7);
--        the list, oldest first: time (7), count (3)
-- ARGV   cost, capacity, window in microseconds; see count.lua
-- Reply  admitted, remaining, reset, wait, ahead, until
-- Why a script: see lib/call.lua
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

-- The log of now; `first` is the index of its first entry that still counts.
local function readList(key, list, raw, window)
    local log = { key = key, list = list, window = window, first = 0 }
    log.seen, log.used, log.base, log.oldest, log.newest = unpack('>I7I3I3I7I7', raw)
    if now > log.seen then log.seen = now end
    local expired = log.seen - window
    if log.newest <= expired then
        log.used = 0
    elseif log.oldest <= expired then
        local index, at = firstThat(list, 0, function(time, count)
            local rank = (count - log.base) % COUNTS
            return time > expired and rank > 0 and rank <= log.used
        end)
        if not index then
            log.used = 0
        elseif index > 0 then
            local _, count = unpack('>I7I3', call('LINDEX', list, index - 1))
            local rank = (count - log.base) % COUNTS
            if rank <= log.used then log.base, log.used = count, log.used - rank end
            log.first, log.oldest = index, at
        end
    end
    return log
end

-- When the entries have expired that stand in the way of `units`.
local function listWait(log, units, capacity)
    local excess = log.used + units - capacity
    local _, at = firstThat(log.list, log.first, function(_, count)
        local rank = (count - log.base) % COUNTS
        return rank >= excess and rank <= log.used
    end)
    return (at or log.newest) + log.window - now
end

-- Writes the log with `cost` more units of now. A log of nothing or of one entry is written as a string.
local function writeTaken(log, cost, writeString)
    if log.used == 0 then
        call('DEL', log.list)
        log.used, log.newest = cost, log.seen
        writeString({ key = log.key, seen = log.seen, used = cost, at = log.seen, first = cost, entries = '', next = 1,
            window = log.window })
        return
    end
    if log.first > 0 then call('LTRIM', log.list, log.first, -1) end
    if cost > 0 then
        log.used, log.newest = log.used + cost, log.seen
        call('RPUSH', log.list, pack('>I7I3', log.seen, (log.base + log.used) % COUNTS))
    end
    writeList(log.key, log.list, log.seen, log.used, log.base, log.oldest, log.newest, log.window)
end

-- As slidingWindow, for a log that is in a list.
local function slidingLogList(key, list, raw, request, kind, writeString)
    local cost, capacity, window = request.cost, request.capacity, request.window
    local log = readList(key, list, raw, window)
    local free = left(log.used, capacity)
    local reset = log.used > 0 and log.newest + window or now
    if kind <= PEEK then
        local units = needed(request)
        if units > capacity then return 0, free, reset, NEVER, 0, 0 end
        if units > free then return 0, free, reset, listWait(log, units, capacity), 0, 0 end
        if kind == PEEK or cost == 0 then return 1, free, reset, 0, 0, 0 end
    elseif kind == CHARGE then
        if cost > free then cost = free end
        if cost == 0 then return 1, free, reset, 0, 0, 0 end
    else
        if takenAt(request) > log.seen - window then
            if cost > log.used then cost = log.used end
            log.base, log.used = (log.base + cost) % COUNTS, log.used - cost
        end
        cost = 0
    end
    writeTaken(log, cost, writeString)
    return 1, left(log.used, capacity), log.used > 0 and log.newest + window or now, 0, 0, 0
end

-- Moves the entries of a string, of which the first is already read, into a list.
local function toList(log)
    call('DEL', log.list)
    local at, count, pos, cost = log.at, log.first, log.next, nil
    call('RPUSH', log.list, pack('>I7I3', at, count))
    while pos <= #log.entries do
        at, cost, pos = unpack('>I7I3', log.entries, pos)
        count = count + cost
        call('RPUSH', log.list, pack('>I7I3', at, count))
    end
    writeList(log.key, log.list, log.seen, log.used, 0, log.at, at, log.window)
end
