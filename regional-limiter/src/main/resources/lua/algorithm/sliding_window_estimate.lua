-- SlidingWindowEstimate: two aligned windows, the previous one fading.
--
-- KEYS   the counter: start of the current window in seconds (5 bytes), then current and previous in 26 bits each (7),
--        or where they need more in 6 bytes each
-- ARGV   cost, capacity, window in microseconds; see count.lua
-- Reply  admitted, remaining, reset, wait, ahead, until
-- Why a script: see lib/call.lua
local NARROW = 67108864

-- When, in the window from `start`, the share of `previous` has faded to `room`.
local function faded(start, window, previous, room)
    local share = ESTIMATE_PARTS
    if previous > 0 then
        local parts = room * ESTIMATE_PARTS
        local whole = (parts - parts % previous) / previous
        if whole < ESTIMATE_PARTS then share = whole end
    end
    local left = share * window
    return start + window - (left - left % ESTIMATE_PARTS) / ESTIMATE_PARTS
end

-- When all of the capacity is there again.
local function gone(start, window, current, previous)
    return current > 0 and start + 2 * window or previous > 0 and start + window or now
end

-- The start of the running window, and what is counted in it and in the one before.
local function readEstimate(raw, window)
    local at, current, previous, counted = now, 0, 0, now
    if raw then
        if #raw == 12 then
            local both
            counted, both = unpack('>I5I7', raw)
            previous = both % NARROW
            current = (both - previous) / NARROW
        else
            counted, current, previous = unpack('>I5I6I6', raw)
        end
        counted = counted * 1000000
        if counted > at then at = counted end
    end
    local start = at - at % window
    if counted < start then
        current, previous = 0, counted >= start - window and current or 0
    end
    return start, current, previous
end

-- The parts of ESTIMATE_PARTS to which the window before still counts.
local function shareOfPrevious(start, window)
    local left = (start + window - (now > start and now or start)) * ESTIMATE_PARTS
    return (left - left % -window) / window
end

local function estimated(current, previous, share)
    local fading = previous * share
    return current + (fading - fading % -ESTIMATE_PARTS) / ESTIMATE_PARTS
end

-- How long to wait until `units` fit, if ever.
local function estimateWait(start, current, previous, request, units)
    local window, capacity = request.window, request.capacity
    if units > capacity then return NEVER end
    local room = capacity - current - units
    local fits = room >= 0 and faded(start, window, previous, room)
        or faded(start + window, window, current, capacity - units)
    return fits - now
end

local function slidingWindowEstimate(key, raw, request, kind)
    local cost, capacity, window = request.cost, request.capacity, request.window
    local start, current, previous = readEstimate(raw, window)
    local share = shareOfPrevious(start, window)
    local free, ahead, untilMicros = left(estimated(current, previous, share), capacity), 0, 0
    if kind <= PEEK then
        if needed(request) > free then
            return 0, free, gone(start, window, current, previous),
                estimateWait(start, current, previous, request, needed(request)), 0, 0
        end
        if kind == PEEK or cost == 0 then return 1, free, gone(start, window, current, previous), 0, 0, 0 end
        current, free = current + cost, free - cost
        if kind == TAKE_AHEAD then
            ahead, untilMicros = leaseAhead(free, request, start + window)
            current, free = current + ahead, free - ahead
        end
    elseif kind == REFUND then
        if not raw then return 1, free, now, 0, 0, 0 end
        local taken = takenAt(request)
        if taken >= start then
            current = current > cost and current - cost or 0
        elseif taken >= start - window then
            previous = previous > cost and previous - cost or 0
        end
        free = left(estimated(current, previous, share), capacity)
    else
        local fits = cost < free and cost or free
        if fits == 0 then return 1, free, gone(start, window, current, previous), 0, 0, 0 end
        current, free = current + fits, free - fits
    end
    local reset = gone(start, window, current, previous)
    keep(key, current < NARROW and previous < NARROW
        and pack('>I5I7', start / 1000000, current * NARROW + previous)
        or pack('>I5I6I6', start / 1000000, current, previous), reset)
    return 1, free, reset, 0, ahead, untilMicros
end
