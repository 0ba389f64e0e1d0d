-- SlidingWindowEstimate: two aligned windows, the previous one fading.
--
-- KEYS   the counter: start of the current window in seconds (5 bytes), then current and previous in 26 bits each (7),
--        or where they need more in 6 bytes each
-- ARGV   cost, capacity, window in microseconds, 8 bytes each; see turn.lua
-- Reply  admitted, remaining, reset, wait, ahead, until
-- Why a script: see call.lua
local PARTS = 2048
local NARROW = 67108864

-- When, in the window from `start`, the share of `previous` has faded to `room`.
local function faded(start, window, previous, room)
    local share = PARTS
    if previous > 0 then
        local parts = room * PARTS
        local whole = (parts - parts % previous) / previous
        if whole < PARTS then share = whole end
    end
    local left = share * window
    return start + window - (left - left % PARTS) / PARTS
end

-- When all of the capacity is there again.
local function gone(start, window, current, previous)
    return current > 0 and start + 2 * window or previous > 0 and start + window or now
end

local function slidingWindowEstimate(key, raw, kind, pos)
    local cost, capacity, window = unpack('>I8I8I8', args, pos)
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
    local left = (start + window - (now > start and now or start)) * PARTS
    local share = (left - left % -window) / window
    local fading = previous * share
    local used = current + (fading - fading % -PARTS) / PARTS
    local free = used < capacity and capacity - used or 0
    local ahead, untilMicros
    if kind <= PEEK then
        local needed = cost > 0 and cost or 1
        if needed > free then
            local reset = gone(start, window, current, previous)
            if needed > capacity then return 0, free, reset, NEVER end
            local room = capacity - current - needed
            local fits = room >= 0 and faded(start, window, previous, room)
                or faded(start + window, window, current, capacity - needed)
            return 0, free, reset, fits - now
        end
        if kind == PEEK or cost == 0 then return 1, free, gone(start, window, current, previous), 0 end
        current, free = current + cost, free - cost
        if kind == TAKE_AHEAD then
            local wish, horizon = unpack('>I8I8', args, pos + 24)
            local units = (free - free % 16) / 16
            if units > wish then units = wish end
            if units > 0 then
                ahead, untilMicros = units, now + horizon
                if untilMicros > start + window then untilMicros = start + window end
                current, free = current + units, free - units
            end
        end
    elseif kind == GIVE_BACK then
        if not raw then return 1, free, now, 0 end
        local taken = unpack('>I8', args, pos + 24)
        if taken > now then taken = now end
        if taken >= start then
            current = current > cost and current - cost or 0
        elseif taken >= start - window then
            previous = previous > cost and previous - cost or 0
        end
        fading = previous * share
        used = current + (fading - fading % -PARTS) / PARTS
        free = used < capacity and capacity - used or 0
    else
        local fits = cost < free and cost or free
        if fits == 0 then return 1, free, gone(start, window, current, previous), 0 end
        current, free = current + fits, free - fits
    end
    local reset = gone(start, window, current, previous)
    keep(key, current < NARROW and previous < NARROW
        and pack('>I5I7', start / 1000000, current * NARROW + previous)
        or pack('>I5I6I6', start / 1000000, current, previous), reset)
    return 1, free, reset, 0, ahead, untilMicros
end
