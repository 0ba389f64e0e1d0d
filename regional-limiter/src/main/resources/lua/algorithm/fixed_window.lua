-- FixedWindow: at most the capacity in every aligned window.
--
-- KEYS   the counter: start of the window in seconds (5 bytes), used (6)
-- ARGV   cost, capacity, window in microseconds (0: calendar month); see count.lua
-- Reply  admitted, remaining, reset, wait, ahead, until
-- Why a script: see lib/call.lua
local DAY = 86400000000

-- The first microsecond of the month that holds `at`, by days counted from a first of March.
local function monthStart(at)
    local days = (at - at % DAY) / DAY
    local day = (days + 719468) % 146097
    local year = math.floor((day - math.floor(day / 1460) + math.floor(day / 36524) - math.floor(day / 146096)) / 365)
    local ofYear = day - (365 * year + math.floor(year / 4) - math.floor(year / 100))
    local month = math.floor((5 * ofYear + 2) / 153)
    return (days - (ofYear - math.floor((153 * month + 2) / 5))) * DAY
end

-- The start and the end of the aligned window that holds `at`; a window of 0 is a calendar month.
local function periodOf(at, window)
    if window > 0 then
        local start = at - at % window
        return start, start + window
    end
    local start = monthStart(at)
    return start, monthStart(start + 31 * DAY)
end

local function fixedWindow(key, raw, request, kind)
    local cost, capacity = request.cost, request.capacity
    local at, used, counted = now, 0, -1
    if raw then
        counted, used = unpack('>I5I6', raw)
        counted = counted * 1000000
        if counted > at then at = counted end
    end
    local start, stop = periodOf(at, request.window)
    if counted < start then used = 0 end
    local free, ahead, untilMicros = left(used, capacity), 0, 0
    if kind <= PEEK then
        if needed(request) > free then
            return 0, free, stop, needed(request) > capacity and NEVER or stop - now, 0, 0
        end
        if kind == PEEK or cost == 0 then return 1, free, stop, 0, 0, 0 end
        used, free = used + cost, free - cost
        if kind == TAKE_AHEAD then
            ahead, untilMicros = leaseAhead(free, request, stop)
            used, free = used + ahead, free - ahead
        end
    elseif kind == REFUND then
        if not raw then return 1, free, stop, 0, 0, 0 end
        if takenAt(request) >= start then
            used = used > cost and used - cost or 0
            free = left(used, capacity)
        end
    else
        local fits = cost < free and cost or free
        if fits == 0 then return 1, free, stop, 0, 0, 0 end
        used, free = used + fits, free - fits
    end
    keep(key, pack('>I5I6', start / 1000000, used), stop)
    return 1, free, stop, 0, ahead, untilMicros
end
