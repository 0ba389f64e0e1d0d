-- SlidingWindowCounter and SlidingWindowLog: what was taken and when, as a string.
--
-- KEYS   the counter: seen in microseconds (7 bytes), used (5), entries from the oldest on.
--        Of the log: time (7), cost (3); one entry as old as seen is left out.
--        Of the counter: end of the sub-window in units of 10 ms (5), cost (6); one alone is in 12 bytes with seen: end (5),
--        microseconds from seen to it (5), cost (2)
-- ARGV   cost, capacity, window in microseconds, 8 bytes each; see turn.lua
-- Reply  admitted, remaining, reset, wait, ahead, until
-- Why a script: see call.lua
local CENTI = 10000
local LOG_STRING_MAX = 32

-- Entries are the first, already read, and those of a string from a position on.
local function writeCounter(key, seen, used, at, cost, entries, pos, window)
    if used == 0 then
        local distance = CENTI - seen % CENTI
        keep(key, pack('>I5I5I2', (seen + distance) / CENTI, distance, 0), seen)
    elseif pos > #entries then
        local distance = at - seen
        keep(key, distance >= 0 and distance < 1099511627776 and cost < 65536
            and pack('>I5I5I2', at / CENTI, distance, cost)
            or pack('>I7I5I5I6', seen, used, at / CENTI, cost), at + window)
    else
        local newest = unpack('>I5', entries, #entries - 10) * CENTI
        keep(key, pack('>I7I5I5I6', seen, used, at / CENTI, cost) .. sub(entries, pos), newest + window)
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

-- The entries with none later than `latest`.
local function clip(at, cost, entries, pos, latest)
    if at >= latest then
        while pos <= #entries do
            local _, more, next = unpack('>I5I6', entries, pos)
            cost, pos = cost + more, next
        end
        return latest, cost, '', 1
    end
    local from, last = pos, 0
    while pos <= #entries do
        local later, more, next = unpack('>I5I6', entries, pos)
        if later * CENTI >= latest then
            local _, rest = clip(latest, 0, entries, pos, latest)
            last = rest
            break
        end
        pos = next
    end
    return at, cost, sub(entries, from, pos - 1) .. pack('>I5I6', latest / CENTI, last), 1
end

local function slidingWindow(key, raw, kind, pos, list)
    if list and raw and #raw == 27 then
        return takenList(key, list, raw, kind, pos, writeLog)
    end
    local format, size, scale, write = '>I5I6', 11, CENTI, writeCounter
    if list then format, size, scale, write = '>I7I3', 10, 1, writeLog end
    local cost, capacity, window = unpack('>I8I8I8', args, pos)
    local seen, used, at, first, entries, next = now, 0, 0, 0, '', 1
    if raw then
        local last
        if #raw > 12 then
            last, used, at, first, next = unpack(list and '>I7I5I7I3' or '>I7I5I5I6', raw)
            at, entries = at * scale, raw
        elseif list then
            last, used = unpack('>I7I5', raw)
            at, first = last, used
        else
            local distance
            at, distance, used = unpack('>I5I5I2', raw)
            at, first = at * CENTI, used
            last = at - distance
        end
        if last > seen then seen = last end
    end
    local expired = seen - window
    while used > 0 and at <= expired do
        used = used - first
        if used > 0 then
            at, first, next = unpack(format, entries, next)
            at = at * scale
        end
    end
    if used == 0 then entries, next = '', 1 end
    -- What is taken now is remembered as of `stamp`, and nothing counts as taken later than that.
    local stamp = seen
    if not list then
        local length = window / 100
        stamp = seen - seen % length + length
    end
    local newest = at
    if next <= #entries then newest = unpack(format, entries, #entries - size + 1) * scale end
    local free = used < capacity and capacity - used or 0
    local reset = used > 0 and (newest < stamp and newest or stamp) + window or now
    local ahead, untilMicros
    if kind == GIVE_BACK then
        if not raw then return 1, free, reset, 0 end
        local taken = unpack('>I8', args, pos + 24)
        if taken > now then taken = now end
        local left = taken > expired and (cost < used and cost or used) or 0
        used = used - left
        while left >= first and used > 0 do
            left = left - first
            at, first, next = unpack(format, entries, next)
            at = at * scale
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
                when, left = when * scale, left - more
            end
            return 0, free, reset, (when < stamp and when or stamp) + window - now
        end
        if kind == PEEK or cost == 0 then return 1, free, reset, 0 end
    end
    free = free - cost
    if kind == TAKE_AHEAD then
        local wish, horizon = unpack('>I8I8', args, pos + 24)
        local units = (free - free % 16) / 16
        if units > wish then units = wish end
        if units > 0 then
            ahead, untilMicros = units, now + horizon
            if untilMicros > stamp then untilMicros = stamp end
            cost, free = cost + units, free - units
        end
    end
    if used == 0 then
        at, first = stamp, cost
    else
        if newest > stamp then
            at, first, entries, next = clip(at, first, entries, next, stamp)
            newest = stamp
        end
        if newest < stamp then
            entries = sub(entries, next) .. pack(format, stamp / scale, cost)
            next = 1
        elseif next > #entries then
            first = first + cost
        else
            local _, last = unpack(format, entries, #entries - size + 1)
            entries = sub(entries, next, -size - 1) .. pack(format, stamp / scale, last + cost)
            next = 1
        end
    end
    write(key, seen, used + cost, at, first, entries, next, window, list)
    return 1, free, stamp + window, 0, ahead, untilMicros
end
