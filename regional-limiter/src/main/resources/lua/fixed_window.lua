-- FixedWindow: at most the capacity in every aligned window.
--
-- KEYS   the counter: start of the window in seconds (5 bytes), used (6)
-- ARGV   cost, capacity, window in microseconds (0: calendar month), 8 bytes each; see turn.lua
-- Reply  admitted, remaining, reset, wait, ahead, until
-- Why a script: see call.lua
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

local function fixedWindow(key, raw, kind, pos)
    local cost, capacity, window = unpack('>I8I8I8', args, pos)
    local at, used, counted = now, 0, -1
    if raw then
        counted, used = unpack('>I5I6', raw)
        counted = counted * 1000000
        if counted > at then at = counted end
    end
    local start, stop
    if window > 0 then
        start = at - at % window
        stop = start + window
    else
        start = monthStart(at)
        stop = monthStart(start + 31 * DAY)
    end
    if counted < start then used = 0 end
    local free = used < capacity and capacity - used or 0
    local ahead, untilMicros
    if kind <= PEEK then
        local needed = cost > 0 and cost or 1
        if needed > free then
            return 0, free, stop, needed > capacity and NEVER or stop - now
        end
        if kind == PEEK or cost == 0 then return 1, free, stop, 0 end
        used, free = used + cost, free - cost
        if kind == TAKE_AHEAD then
            local wish, horizon = unpack('>I8I8', args, pos + 24)
            local share = (free - free % 16) / 16
            if share > wish then share = wish end
            if share > 0 then
                ahead, untilMicros = share, now + horizon
                if untilMicros > stop then untilMicros = stop end
                used, free = used + share, free - share
            end
        end
    elseif kind == GIVE_BACK then
        if not raw then return 1, free, stop, 0 end
        local taken = unpack('>I8', args, pos + 24)
        if taken > now then taken = now end
        if taken >= start then
            used = used > cost and used - cost or 0
            free = used < capacity and capacity - used or 0
        end
    else
        local fits = cost < free and cost or free
        if fits == 0 then return 1, free, stop, 0 end
        used, free = used + fits, free - fits
    end
    keep(key, pack('>I5I6', start / 1000000, used), stop)
    return 1, free, stop, 0, ahead, untilMicros
end
