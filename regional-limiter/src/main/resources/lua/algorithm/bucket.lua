-- TokenBucket, Gcra and LeakyBucket: a debt that drains in whole ticks.
--
-- KEYS   the counter: units (7 bytes), units per token (6), at in microseconds (7); or in 12 bytes where all are small:
--        at in 44 bits, of which `now` knows the rest, units and units per token in 26 each
-- ARGV   cost, capacity, units per token, units per tick, tick in microseconds; see count.lua
-- Reply  admitted, remaining, reset, wait, ahead, until
-- Why a script: see lib/call.lua
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
local function drainMicros(units, request)
    local perTick = request.perTick
    local part = units % perTick
    local micros = ((units - part) / perTick + (part > 0 and 1 or 0)) * request.tick
    return micros < DRAIN_MICROS_MAX and micros or DRAIN_MICROS_MAX
end

-- The debt of now in units, and the time up to which it has drained.
local function readBucket(raw, request)
    if not raw then return 0, now end
    local units, from, at
    if #raw == 12 then
        local high, low = unpack('>I6I6', raw)
        local top = high % 16
        from = low % SMALL
        units = (low - from) / SMALL + top * 4194304
        at = now + LAP / 2 - (now + LAP / 2 - (high - top) / 16) % LAP
    else
        units, from, at = unpack('>I7I6I7', raw)
    end
    local perToken, tick = request.perToken, request.tick
    if from ~= perToken then units = rescale(units, from, perToken) end
    if at >= now then return units, at end
    local part = (now - at) % tick
    local drained = (now - at - part) / tick * request.perTick
    if drained >= units then return 0, now end
    return units - drained, now - part
end

local function writeBucket(key, units, at, reset, perToken)
    local value
    if units < SMALL and perToken < SMALL and reset - now < LAP / 4 then
        local low = units % 4194304
        value = pack('>I6I6', at % LAP * 16 + (units - low) / 4194304, low * SMALL + perToken)
    else
        value = pack('>I7I6I7', units, perToken, at)
    end
    keep(key, value, reset)
end

-- The tokens that fit beside a debt.
local function freeTokens(units, request)
    local free = left(units, request.capacity * request.perToken)
    return (free - free % request.perToken) / request.perToken
end

-- The debt less what was taken and has not drained since.
local function refundedDebt(units, at, request)
    local taken = takenAt(request)
    local elapsed = at > taken and at - taken or 0
    local cost = request.cost < request.capacity and request.cost or request.capacity
    local owed = cost * request.perToken
    local drained = (elapsed - elapsed % request.tick) / request.tick * request.perTick
    if drained >= owed then return units end
    owed = owed - drained
    return units > owed and units - owed or 0
end

-- The debt with a lease ahead, which drains only from its horizon on.
local function leaseTokensAhead(units, at, request)
    local perToken, perTick, tick, horizon = request.perToken, request.perTick, request.tick, request.horizon
    local deposit = ((horizon - horizon % tick) / tick + 1) * perTick
    local debt = deposit > units and deposit or units
    local free = left(debt, request.capacity * perToken)
    local tokens = (free - free % (perToken * LEASE_SHARE)) / (perToken * LEASE_SHARE)
    if tokens > request.wish then tokens = request.wish end
    if tokens == 0 then return units, at, 0, 0 end
    if debt <= perTick and at < now then at = now end
    return debt + tokens * perToken, at, tokens, now + horizon
end

local function bucket(key, raw, request, kind)
    local cost, capacity, perToken = request.cost, request.capacity, request.perToken
    local units, at = readBucket(raw, request)
    local wait, ahead, untilMicros = 0, 0, 0
    if kind == REFUND then
        if raw then units = refundedDebt(units, at, request) end
    elseif kind == CHARGE then
        local whole = freeTokens(units, request)
        if cost > whole then cost = whole end
    else
        local tokens = needed(request)
        local excess = tokens > capacity and 1 or tokens * perToken - (capacity * perToken - units)
        if excess > 0 then
            return 0, freeTokens(units, request), at + drainMicros(units, request),
                tokens > capacity and NEVER or at - now + drainMicros(excess, request), 0, 0
        end
        if request.algorithm == LEAKY_BUCKET then wait = at - now + drainMicros(units, request) end
    end
    if kind ~= REFUND and cost == 0 then kind = PEEK end
    if kind ~= REFUND and kind ~= PEEK then
        if units <= request.perTick and at < now then at = now end
        units = units + cost * perToken
        if kind == TAKE_AHEAD then units, at, ahead, untilMicros = leaseTokensAhead(units, at, request) end
    end
    local reset = units == 0 and (at > now and at or now) or at + drainMicros(units, request)
    if kind ~= PEEK and (raw or kind ~= REFUND) then writeBucket(key, units, at, reset, perToken) end
    return 1, freeTokens(units, request), reset, wait, ahead, untilMicros
end
