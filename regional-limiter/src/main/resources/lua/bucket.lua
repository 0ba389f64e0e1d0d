-- TokenBucket, Gcra and LeakyBucket: a debt that drains in whole ticks.
--
-- KEYS   the counter: units (7 bytes), units per token (6), at in microseconds (7); or in 12 bytes where all are small:
--        at in 44 bits, of which `now` knows the rest, units and units per token in 26 each
-- ARGV   cost, capacity, units per token, units per tick, tick in microseconds, 8 bytes each; see turn.lua
-- Reply  admitted, remaining, reset, wait, ahead, until
-- Why a script: see call.lua
local TOLD_MAX = 2251799813685248
local EXACT_MAX = 9007199254740992
local SMALL = 67108864
local LAP = 17592186044416

-- Units after a change of rate: units * to / from, rounded up. Digits of ten bits keep every product exact, for units
-- per token need no more than 42 bits.
local function rescale(units, from, to)
    local part = units % from
    local whole = (units - part) / from * to
    local quotient, rest = 0, 0
    for shift = 40, 0, -10 do
        local digit = math.floor(to / 2 ^ shift) % 1024
        local value = rest * 1024 + part * digit
        rest = value % from
        quotient = quotient * 1024 + (value - rest) / from
    end
    local scaled = whole + quotient + (rest > 0 and 1 or 0)
    return scaled < EXACT_MAX and scaled or EXACT_MAX
end

-- Microseconds until `units` have drained.
local function drainMicros(units, perTick, tick)
    local part = units % perTick
    local micros = ((units - part) / perTick + (part > 0 and 1 or 0)) * tick
    return micros < TOLD_MAX and micros or TOLD_MAX
end

local function bucket(key, raw, kind, pos, paced)
    local cost, capacity, perToken, perTick, tick = unpack('>I8I8I8I8I8', args, pos)
    local units, at = 0, now
    if raw then
        local from
        if #raw == 12 then
            local high, low = unpack('>I6I6', raw)
            local top = high % 16
            from = low % SMALL
            units = (low - from) / SMALL + top * 4194304
            at = now + LAP / 2 - (now + LAP / 2 - (high - top) / 16) % LAP
        else
            units, from, at = unpack('>I7I6I7', raw)
        end
        if from ~= perToken then units = rescale(units, from, perToken) end
        if at < now then
            local part = (now - at) % tick
            local drained = (now - at - part) / tick * perTick
            if drained >= units then
                units, at = 0, now
            else
                units, at = units - drained, now - part
            end
        end
    end
    local capacityUnits = capacity * perToken
    local wait, ahead, untilMicros = 0, nil, nil
    if kind == GIVE_BACK then
        if raw then
            local taken = unpack('>I8', args, pos + 40)
            if taken > now then taken = now end
            local elapsed = at > taken and at - taken or 0
            local owed = (cost < capacity and cost or capacity) * perToken
            local drained = (elapsed - elapsed % tick) / tick * perTick
            if drained < owed then
                owed = owed - drained
                units = units > owed and units - owed or 0
            end
        end
    else
        if kind == SETTLE then
            local free = units < capacityUnits and capacityUnits - units or 0
            local whole = (free - free % perToken) / perToken
            if cost > whole then cost = whole end
            if cost == 0 then kind = PEEK end
        else
            local needed = cost > 0 and cost or 1
            local excess = needed > capacity and 1 or needed * perToken - (capacityUnits - units)
            if excess > 0 then
                local free = units < capacityUnits and capacityUnits - units or 0
                return 0, (free - free % perToken) / perToken, at + drainMicros(units, perTick, tick),
                    needed > capacity and NEVER or at - now + drainMicros(excess, perTick, tick)
            end
            if paced then wait = at - now + drainMicros(units, perTick, tick) end
            if cost == 0 then kind = PEEK end
        end
        if kind ~= PEEK then
            if units <= perTick and at < now then at = now end
            units = units + cost * perToken
            if kind == TAKE_AHEAD then
                local wish, horizon = unpack('>I8I8', args, pos + 40)
                local deposit = ((horizon - horizon % tick) / tick + 1) * perTick
                local debt = deposit > units and deposit or units
                local free = debt < capacityUnits and capacityUnits - debt or 0
                local tokens = (free - free % (perToken * 16)) / (perToken * 16)
                if tokens > wish then tokens = wish end
                if tokens > 0 then
                    if debt <= perTick and at < now then at = now end
                    units = debt + tokens * perToken
                    ahead, untilMicros = tokens, now + horizon
                end
            end
        end
    end
    local reset = units == 0 and (at > now and at or now) or at + drainMicros(units, perTick, tick)
    if kind ~= PEEK and (raw or kind ~= GIVE_BACK) then
        local value
        if units < SMALL and perToken < SMALL and reset - now < LAP / 4 then
            local low = units % 4194304
            value = pack('>I6I6', at % LAP * 16 + (units - low) / 4194304, low * SMALL + perToken)
        else
            value = pack('>I7I6I7', units, perToken, at)
        end
        keep(key, value, reset)
    end
    local free = units < capacityUnits and capacityUnits - units or 0
    return 1, (free - free % perToken) / perToken, reset, wait, ahead, untilMicros
end
