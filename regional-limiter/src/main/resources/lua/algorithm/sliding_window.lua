-- Sliding window counter and log (SlidingWindow in Java): what was taken and when, as a string.
--
-- KEYS   the counter: seen in microseconds (7 bytes), used (5), entries from the oldest on.
--        Of the log: time (7), cost (3); one entry as old as seen is left out.
--        Of the counter: time (7), cost (6); one alone is in 12 bytes with seen: seen (7), microseconds from seen to its time
--        (3, signed), cost (2)
-- ARGV   cost, capacity, window in microseconds; see count.lua
-- Reply  admitted, remaining, reset, wait, ahead, until
-- Why a script: see lib/call.lua
local DISTANCE_MAX = 8388607
local LOG_STRING_MAX = 32

-- The entries of a counter or log are its first one, already read (`at`, `first`), and those of a string from a position on.
local function setEntries(log, at, first, entries, next)
    log.at, log.first, log.entries, log.next = at, first, entries, next
end

local function writeCounter(log)
    local seen, at, cost, entries = log.seen, log.at, log.first, log.entries
    if log.used == 0 then
        keep(log.key, pack('>I7i3I2', seen, 0, 0), seen)
    elseif log.next > #entries then
        local distance = at - seen
        keep(log.key, distance >= -DISTANCE_MAX and distance <= DISTANCE_MAX and cost < 65536
            and pack('>I7i3I2', seen, distance, cost)
            or pack('>I7I5I7I6', seen, log.used, at, cost), at + log.window)
    else
        local newest = unpack('>I7', entries, #entries - 12)
        keep(log.key, pack('>I7I5I7I6', seen, log.used, at, cost) .. sub(entries, log.next), newest + log.window)
    end
end

local function writeLog(log)
    local seen, at, cost, entries = log.seen, log.at, log.first, log.entries
    if log.used == 0 then
        keep(log.key, pack('>I7I5', seen, 0), seen)
    elseif log.next > #entries then
        keep(log.key, at == seen and pack('>I7I5', seen, log.used) or pack('>I7I5I7I3', seen, log.used, at, cost),
            at + log.window)
    elseif #entries - log.next + 11 > LOG_STRING_MAX * 10 then
        toList(log)
    else
        local newest = unpack('>I7', entries, #entries - 9)
        keep(log.key, pack('>I7I5I7I3', seen, log.used, at, cost) .. sub(entries, log.next), newest + log.window)
    end
end

local function writeEntries(log)
    if log.list then writeLog(log) else writeCounter(log) end
end

-- The counter, or the log where there is a list, as it was written. `length` is that of a sub-window: a log has none but microseconds.
local function readEntries(key, raw, window, list)
    local log = { key = key, list = list, window = window, length = list and 1 or window / SUB_WINDOWS,
        format = list and '>I7I3' or '>I7I6', size = list and 10 or 13,
        seen = now, used = 0, at = 0, first = 0, entries = '', next = 1 }
    if not raw then return log end
    local seen
    if #raw > 12 then
        seen, log.used, log.at, log.first, log.next = unpack(list and '>I7I5I7I3' or '>I7I5I7I6', raw)
        log.entries = raw
    elseif list then
        seen, log.used = unpack('>I7I5', raw)
        log.at, log.first = seen, log.used
    else
        local distance
        seen, distance, log.used = unpack('>I7i3I2', raw)
        log.at, log.first = seen + distance, log.used
    end
    if seen > now then log.seen = seen end
    return log
end

-- Lets go of what is older than the window; the time up to which that is.
local function expire(log)
    local seen, window = log.seen, log.window
    local expired = seen - window
    while log.used > 0 and log.at <= expired do
        log.used = log.used - log.first
        if log.used > 0 then log.at, log.first, log.next = unpack(log.format, log.entries, log.next) end
    end
    if log.used == 0 then log.entries, log.next = '', 1 end
    return expired
end

-- The last microsecond of the running sub-window: nothing counts as taken later.
local function latestOf(log)
    local seen, length = log.seen, log.length
    return seen - seen % length + length - 1
end

local function newestOf(log)
    if log.next > #log.entries then return log.at end
    return (unpack(log.format, log.entries, #log.entries - log.size + 1))
end

-- The entries of a counter with none later than `latest`.
local function clip(at, cost, entries, pos, latest)
    if at >= latest then
        while pos <= #entries do
            local _, more, next = unpack('>I7I6', entries, pos)
            cost, pos = cost + more, next
        end
        return latest, cost, '', 1
    end
    local from, last = pos, 0
    while pos <= #entries do
        local later, _, next = unpack('>I7I6', entries, pos)
        if later >= latest then
            local _, rest = clip(latest, 0, entries, pos, latest)
            last = rest
            break
        end
        pos = next
    end
    return at, cost, sub(entries, from, pos - 1) .. pack('>I7I6', latest, last), 1
end

-- Adds an entry of `more` at `stamp`, which is not before the newest: SlidingLog.addWithin. A log has sub-windows of a microsecond.
local function addEntry(log, stamp, more, ahead)
    local format, size, length = log.format, log.size, log.length
    local at, cost, entries, pos = log.at, log.first, log.entries, log.next
    local start = stamp - stamp % length
    if pos > #entries then
        if at >= start and not ahead then return setEntries(log, stamp, cost + more, '', 1) end
        return setEntries(log, at, cost, pack(format, stamp, more), 1)
    end
    local last, lastCost = unpack(format, entries, #entries - size + 1)
    local second = #entries - 2 * size + 1
    local before, beforeCost = at, cost
    if second >= pos then before, beforeCost = unpack(format, entries, second) end
    if last < start then
        if before >= last - last % length then
            local both = pack(format, last, beforeCost + lastCost)
            if second >= pos then
                return setEntries(log, at, cost, sub(entries, pos, second - 1) .. both .. pack(format, stamp, more), 1)
            end
            return setEntries(log, last, beforeCost + lastCost, pack(format, stamp, more), 1)
        end
    elseif not ahead or before >= start then
        return setEntries(log, at, cost, sub(entries, pos, -size - 1) .. pack(format, stamp, lastCost + more), 1)
    end
    return setEntries(log, at, cost, sub(entries, pos) .. pack(format, stamp, more), 1)
end

-- Takes the oldest units out, as far as they were taken after `expired`.
local function removeOldest(log, request, expired)
    local cost = request.cost
    local rest = takenAt(request) > expired and (cost < log.used and cost or log.used) or 0
    log.used = log.used - rest
    while rest >= log.first and log.used > 0 do
        rest = rest - log.first
        log.at, log.first, log.next = unpack(log.format, log.entries, log.next)
    end
    log.first = log.first - rest
end

-- How long to wait until the entries have expired that stand in the way of `units`.
local function entriesWait(log, units, capacity, latest)
    local excess, at, pos = log.used + units - capacity - log.first, log.at, log.next
    while excess > 0 and pos <= #log.entries do
        local more
        at, more, pos = unpack(log.format, log.entries, pos)
        excess = excess - more
    end
    return (at < latest and at or latest) + log.window - now
end

-- Adds what is taken now, and a lease ahead as of its end.
local function take(log, request, kind, cost, free, latest)
    local stamp, ahead, untilMicros = log.seen, 0, 0
    if log.used == 0 then
        log.at, log.first = stamp, cost
    else
        local newest = newestOf(log)
        if newest > latest then
            setEntries(log, clip(log.at, log.first, log.entries, log.next, latest))
            newest = latest
        end
        if newest > stamp then stamp = newest end
        addEntry(log, stamp, cost, false)
    end
    log.used, free = log.used + cost, free - cost
    if kind == TAKE_AHEAD then
        ahead, untilMicros = leaseAhead(free, request, latest + 1)
        if ahead > 0 then
            if untilMicros - 1 > stamp then stamp = untilMicros - 1 end
            addEntry(log, stamp, ahead, true)
            log.used, free = log.used + ahead, free - ahead
        end
    end
    writeEntries(log)
    return 1, free, stamp + log.window, 0, ahead, untilMicros
end

local function slidingWindow(key, raw, request, kind, list)
    if list and raw and #raw == 27 then
        return slidingLogList(key, list, raw, request, kind, writeLog)
    end
    local cost, capacity, window = request.cost, request.capacity, request.window
    local log = readEntries(key, raw, window, list)
    local expired = expire(log)
    local latest, newest, free = latestOf(log), newestOf(log), left(log.used, capacity)
    local reset = log.used > 0 and (newest < latest and newest or latest) + window or now
    if kind == REFUND then
        if not raw then return 1, free, reset, 0, 0, 0 end
        removeOldest(log, request, expired)
        writeEntries(log)
        return 1, left(log.used, capacity), log.used > 0 and reset or now, 0, 0, 0
    end
    if kind == CHARGE then
        if cost > free then cost = free end
        if cost == 0 then return 1, free, reset, 0, 0, 0 end
    else
        local units = needed(request)
        if units > capacity then return 0, free, reset, NEVER, 0, 0 end
        if units > free then return 0, free, reset, entriesWait(log, units, capacity, latest), 0, 0 end
        if kind == PEEK or cost == 0 then return 1, free, reset, 0, 0, 0 end
    end
    return take(log, request, kind, cost, free, latest)
end
