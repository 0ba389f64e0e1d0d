-- SlidingWindowCounter and SlidingWindowLog: what was taken and when, as a string.
--
-- KEYS   the counter: seen in microseconds (7 bytes), used (5), entries from the oldest on.
--        Of the log: time (7), cost (3); one entry as old as seen is left out.
--        Of the counter: time (7), cost (6); one alone is in 12 bytes with seen: seen (7), microseconds from seen to its time
--        (3, signed), cost (2)
-- ARGV   cost, capacity, window in microseconds, 8 bytes each; see turn.lua
-- Reply  admitted, remaining, reset, wait, ahead, until
-- Why a script: see call.lua
local DISTANCE_MAX = 8388607
local LOG_STRING_MAX = 32

-- Entries are the first, already read, and those of a string from a position on.
local function writeCounter(key, seen, used, at, cost, entries, pos, window)
    if used == 0 then
        keep(key, pack('>I7i3I2', seen, 0, 0), seen)
    elseif pos > #entries then
        local distance = at - seen
        keep(key, distance >= -DISTANCE_MAX and distance <= DISTANCE_MAX and cost < 65536
            and pack('>I7i3I2', seen, distance, cost)
            or pack('>I7I5I7I6', seen, used, at, cost), at + window)
    else
        local newest = unpack('>I7', entries, #entries - 12)
        keep(key, pack('>I7I5I7I6', seen, used, at, cost) .. sub(entries, pos), newest + window)
    end
end

local function writeLog(key, seen, used, at, cost, entries, pos, window, list)
    if used == 0 then
        keep(key, pack('>I7I5', seen, 0), seen)
    elseif pos > #entries then
        keep(key, at == seen and pack('>I7I5', seen, used) or pack('>I7I5I7I3', seen, used, at, cost), at + window)
    elseif #entries - pos + 11 > LOG_STRING_MAX * 10 then
        toList(key, list, seen, used, at, cost, entries, pos, window)
    else
        local newest = unpack('>I7', entries, #entries - 9)
        keep(key, pack('>I7I5I7I3', seen, used, at, cost) .. sub(entries, pos), newest + window)
    end
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

-- The entries with `more` at `stamp`, which is not before the newest: TakenLog.addWithin. A log has sub-windows of a microsecond.
local function added(at, cost, entries, pos, format, size, length, stamp, more, ahead)
    local start = stamp - stamp % length
    if pos > #entries then
        if at >= start and not ahead then return stamp, cost + more, '', 1 end
        return at, cost, pack(format, stamp, more), 1
    end
    local last, lastCost = unpack(format, entries, #entries - size + 1)
    local second = #entries - 2 * size + 1
    local before, beforeCost = at, cost
    if second >= pos then before, beforeCost = unpack(format, entries, second) end
    if last < start then
        if before >= last - last % length then
            local both = pack(format, last, beforeCost + lastCost)
            if second >= pos then
                return at, cost, sub(entries, pos, second - 1) .. both .. pack(format, stamp, more), 1
            end
            return last, beforeCost + lastCost, pack(format, stamp, more), 1
        end
    elseif not ahead or before >= start then
        return at, cost, sub(entries, pos, -size - 1) .. pack(format, stamp, lastCost + more), 1
    end
    return at, cost, sub(entries, pos) .. pack(format, stamp, more), 1
end

local function slidingWindow(key, raw, kind, pos, list)
    if list and raw and #raw == 27 then
        return takenList(key, list, raw, kind, pos, writeLog)
    end
    local format, size, write = '>I7I6', 13, writeCounter
    if list then format, size, write = '>I7I3', 10, writeLog end
    local cost, capacity, window = unpack('>I8I8I8', args, pos)
    local seen, used, at, first, entries, next = now, 0, 0, 0, '', 1
    if raw then
        local last
        if #raw > 12 then
            last, used, at, first, next = unpack(list and '>I7I5I7I3' or '>I7I5I7I6', raw)
            entries = raw
        elseif list then
            last, used = unpack('>I7I5', raw)
            at, first = last, used
        else
            local distance
            last, distance, used = unpack('>I7i3I2', raw)
            at, first = last + distance, used
        end
        if last > seen then seen = last end
    end
    local expired = seen - window
    while used > 0 and at <= expired do
        used = used - first
        if used > 0 then at, first, next = unpack(format, entries, next) end
    end
    if used == 0 then entries, next = '', 1 end
    -- The last microsecond of the running sub-window: nothing counts as taken later.
    local length = list and 1 or window / 100
    local latest = seen - seen % length + length - 1
    local newest = at
    if next <= #entries then newest = unpack(format, entries, #entries - size + 1) end
    local free = used < capacity and capacity - used or 0
    local reset = used > 0 and (newest < latest and newest or latest) + window or now
    if kind == GIVE_BACK then
        if not raw then return 1, free, reset, 0 end
        local taken = unpack('>I8', args, pos + 24)
        if taken > now then taken = now end
        local left = taken > expired and (cost < used and cost or used) or 0
        used = used - left
        while left >= first and used > 0 do
            left = left - first
            at, first, next = unpack(format, entries, next)
        end
        first = first - left
        write(key, seen, used, at, first, entries, next, window, list)
        return 1, used < capacity and capacity - used or 0, used > 0 and reset or now, 0
    end
    if kind == SETTLE then
        if cost > free then cost = free end
        if cost == 0 then return 1, free, reset, 0 end
    else
        local needed = cost > 0 and cost or 1
        if needed > capacity then return 0, free, reset, NEVER end
        if needed > free then
            local left, when, step = used + needed - capacity - first, at, next
            while left > 0 and step <= #entries do
                local more
                when, more, step = unpack(format, entries, step)
                left = left - more
            end
            return 0, free, reset, (when < latest and when or latest) + window - now
        end
        if kind == PEEK or cost == 0 then return 1, free, reset, 0 end
    end
    free = free - cost
    local stamp = seen
    if used == 0 then
        at, first = stamp, cost
    else
        if newest > latest then
            at, first, entries, next = clip(at, first, entries, next, latest)
            newest = latest
        end
        if newest > stamp then stamp = newest end
        at, first, entries, next = added(at, first, entries, next, format, size, length, stamp, cost, false)
    end
    used = used + cost
    local ahead, untilMicros
    if kind == TAKE_AHEAD then
        local wish, horizon = unpack('>I8I8', args, pos + 24)
        local units = (free - free % 16) / 16
        if units > wish then units = wish end
        if units > 0 then
            ahead, untilMicros = units, now + horizon
            if untilMicros > latest + 1 then untilMicros = latest + 1 end
            if untilMicros - 1 > stamp then stamp = untilMicros - 1 end
            at, first, entries, next = added(at, first, entries, next, format, size, length, stamp, units, true)
            used, free = used + units, free - units
        end
    end
    write(key, seen, used, at, first, entries, next, window, list)
    return 1, free, stamp + window, 0, ahead, untilMicros
end
