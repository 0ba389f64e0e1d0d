-- Global limits: GlobalCounter in Java. Converge counts what this region used and what verdicts say of the others; escrow spends what
-- was granted. An algorithm without aligned windows has a counter of its own, charged with what the others used, and
-- accounts that only report.
--
-- KEYS   a prefix: its accounts (lib/account.lua), and the counter under prefix, 'c' and the number of the algorithm
-- ARGV   after the fields of any request, in SHARED_REQUEST_FORMAT: sharing (SharingMode), up to where what the others used is charged
--        (ChargedCapacity), version of the policy, window in microseconds (0: calendar month), the limit if it is not the policy's,
--        else 0, overdraft (OVERDRAFT_LOCAL: up to the limit, and of a charge that all of it counts), requested (of a charge the time
--        at which it was taken); the offer of a floor (FloorOffer): its units, and the starts of the windows for which it holds, from
--        and before; length of what follows: length (1) and policy, length (2) and key
-- Reply  admitted, remaining, reset, wait, ahead, until, taken, returned, used elsewhere, granted
-- Why a script: see lib/call.lua

-- Whether what was taken then is of an incarnation before this one, which never counted it.
local function isOfAnotherIncarnation(taken)
    return ARGV[2] and ARGV[2] ~= '' and taken < unpack('>I8', ARGV[2])
end

-- Adds the fields of a global limit to a request; the position after them.
local function decodeGlobal(request, pos)
    local length
    request.sharing, request.chargedMax, request.version, request.period, request.ownLimit, request.overdraft,
        request.requested, request.floor, request.floorFrom, request.floorBefore, length, pos =
        unpack(SHARED_REQUEST_FORMAT, args, pos)
    request.text = sub(args, pos, pos + length - 1)
    if request.kind == REFUND and isOfAnotherIncarnation(request.taken) then request.cost = 0 end
    return pos + length
end

-- Until when an account is needed: what slides or drains counts the period before, too.
local function countedUntil(request, stop)
    if request.sharing ~= CONVERGE_RATE then return stop end
    local _, after = periodOf(stop, request.period)
    return after
end

-- The account of the running window. The first request of a window decides on its floor; only what is written anyway stores that.
local function openAccount(prefix, request)
    local start, stop = periodOf(now, request.period)
    local name = accountKey(prefix, start)
    local raw = call('GET', name)
    local account = readAccount(raw)
    if request.sharing == ESCROW and not account.floor then
        account.floor = start >= request.floorFrom and start < request.floorBefore and request.floor or 0
    end
    return { prefix = prefix, start = start, stop = stop, name = name, raw = raw, account = account,
        changed = 0, urgent = false }
end

-- Whether a verdict on this version and limit says that the limit is reached everywhere.
local function isBlocked(account, request)
    return account.blocked and account.version == request.version and request.capacity <= account.verdictLimit
end

-- The units that the region may still take.
local function freeOf(account, request)
    local own, free = account.taken - account.returned, nil
    if request.sharing == ESCROW then
        local line = grantedTo(account)
        if request.overdraft == OVERDRAFT_LOCAL then
            if line < request.capacity then line = request.capacity end
        else
            line = line + request.overdraft
        end
        free = line - own
    else
        if isBlocked(account, request) then return 0 end
        free = request.capacity - own - account.usedElsewhere
    end
    return free > 0 and free or 0
end

-- The account of the window in which units were taken. A later window without an account is of a clock that is ahead of this
-- one; one with an account was here before this clock was set back.
local function accountAt(open, request, taken)
    local start, stop = periodOf(taken, request.period)
    local same = start == open.start
    if same then return open end
    local name = accountKey(open.prefix, start)
    local raw = call('GET', name)
    if taken > now and not raw then return open end
    return { prefix = open.prefix, start = start, stop = stop, name = name, raw = raw, account = readAccount(raw) }
end

-- Refunds or charges units in the window in which they were taken, so that its total is what was admitted. What comes so late that
-- the account is gone is forgiven: a new one would count from nothing.
local function amend(open, request, taken, refunding)
    local their = accountAt(open, request, taken)
    if not their.raw and (refunding or now >= their.stop + KEPT) then return end
    local account, units = their.account, request.cost
    if refunding then
        local own = account.taken - account.returned
        if own < units then units = own end
        account.returned = account.returned + units
    else
        if request.sharing == ESCROW and request.overdraft == 0 then
            local free = freeOf(account, request)
            if free < units then units = free end
        end
        account.taken = sum(account.taken, units)
    end
    if units == 0 then return end
    if their == open then
        open.changed = units
    else
        account.unreported = sum(account.unreported, units)
        markOf(open.prefix, their.start, request.text, account, 0, true)
        writeAccount(their.name, account, countedUntil(request, their.stop))
    end
end

local function resetAccount(open)
    local account = open.account
    if open.raw then open.changed = account.taken - account.returned end
    account.returned = account.taken
end

local function rateCounter(key, raw, request, kind, list)
    local algorithm = request.algorithm
    if algorithm == SLIDING_WINDOW_ESTIMATE then return slidingWindowEstimate(key, raw, request, kind) end
    if algorithm == SLIDING_WINDOW_LOG or algorithm == SLIDING_WINDOW_COUNTER then
        return slidingWindow(key, raw, request, kind, list)
    end
    return bucket(key, raw, request, kind)
end

-- Charges the counter with what the others used since it was last charged, at most up to `chargedMax`.
local function applyElsewhere(name, account, request, counter, list)
    local more = account.usedElsewhere - account.applied
    if more == 0 then return end
    local correction = { algorithm = request.algorithm, window = request.window, perToken = request.perToken,
        perTick = request.perTick, tick = request.tick, taken = now, cost = more > 0 and more or -more,
        capacity = more > 0 and request.chargedMax or request.capacity }
    rateCounter(counter, call('GET', counter), correction, more > 0 and CHARGE or REFUND, list)
    account.applied = account.usedElsewhere
    call('SET', name, packAccount(account), 'KEEPTTL')
end

-- A request of an algorithm without aligned windows.
local function countRate(open, request, kind)
    local account, algorithm = open.account, request.algorithm
    local counter = open.prefix .. 'c' .. algorithm
    local list = algorithm == SLIDING_WINDOW_LOG and counter .. LIST_SUFFIX or nil
    local before = accountKey(open.prefix, (periodOf(open.start - 1, request.period)))
    local rawBefore = call('GET', before)
    if rawBefore then applyElsewhere(before, readAccount(rawBefore), request, counter, list) end
    applyElsewhere(open.name, account, request, counter, list)
    local value = call('GET', counter)
    if kind == RESET then
        call('DEL', counter)
        if list then call('DEL', list) end
        resetAccount(open)
        kind, value = PEEK, false
    end
    local admitted, remaining, reset, wait, ahead, untilMicros = rateCounter(counter, value, request, kind, list)
    if kind <= TAKE_AHEAD and admitted == 1 and request.cost > 0 then
        open.changed = request.cost + ahead
        account.taken = sum(account.taken, open.changed)
    elseif kind == CHARGE then
        amend(open, request, request.requested, false)
    elseif kind == REFUND then
        amend(open, request, request.taken, true)
    end
    return admitted, remaining, reset, wait, ahead, untilMicros
end

-- Counts a refusal as demand for a grant, if enough of the limit is left as far as the region knows.
local function noteRefusal(open, request)
    local account, cost, capacity = open.account, request.cost, request.capacity
    if cost == 0 or cost > capacity - (account.taken - account.returned) - account.usedElsewhere then return end
    local most = capacity < ACCOUNT_MAX and capacity or ACCOUNT_MAX
    local all = sum(account.refused, cost)
    if account.refused < most then account.refused = all < most and all or most end
    open.urgent = true
end

-- How long to wait for a refused request: for the next window, or in escrow for a grant.
local function refusedWait(open, request)
    if needed(request) > request.capacity then return NEVER end
    local wait = open.stop - now
    local mayBeGranted = request.sharing == ESCROW and not isBlocked(open.account, request)
    return mayBeGranted and wait > GRANTED_WITHIN and GRANTED_WITHIN or wait
end

-- A request of an algorithm with aligned windows; `noting` if a request in vain counts as demand.
local function countWindow(open, request, kind, noting)
    local account, cost = open.account, request.cost
    if kind == RESET then
        resetAccount(open)
        kind = PEEK
    elseif kind == REFUND then
        amend(open, request, request.taken, true)
    elseif kind == CHARGE then
        amend(open, request, request.requested, false)
    end
    local free, ahead, untilMicros = freeOf(account, request), 0, 0
    if kind > PEEK then return 1, free, open.stop, 0, 0, 0 end
    local units = needed(request)
    noting = noting and request.sharing == ESCROW and request.kind <= TAKE_AHEAD
    -- A request that fits here and is refused by another limit of the group is no demand for a grant.
    if kind == PEEK and units <= free then noting = false end
    if noting and request.requested > 0 then
        account.requested = sum(account.requested, request.requested)
        open.changed = -1
    end
    if units > free then
        if noting then noteRefusal(open, request) end
        return 0, free, open.stop, refusedWait(open, request), 0, 0
    end
    if kind == PEEK or cost == 0 then return 1, free, open.stop, 0, 0, 0 end
    if kind == TAKE_AHEAD then ahead, untilMicros = leaseAhead(free - cost, request, open.stop) end
    open.changed = cost + ahead
    account.taken = sum(account.taken, open.changed)
    return 1, free - open.changed, open.stop, 0, ahead, untilMicros
end

-- Does `kind` of a request, which is what was asked for or only a look at it.
local function globalCounter(prefix, request, kind, noting)
    local open = openAccount(prefix, request)
    local account = open.account
    local admitted, remaining, reset, wait, ahead, untilMicros
    if request.sharing == CONVERGE_RATE then
        admitted, remaining, reset, wait, ahead, untilMicros = countRate(open, request, kind)
    else
        admitted, remaining, reset, wait, ahead, untilMicros = countWindow(open, request, kind, noting)
    end
    -- A region that asks how a limit stands and knows nothing of it reports that, so that it is told what the others used.
    local changed, urgent = open.changed, open.urgent or request.kind == PEEK and not open.raw
    if changed ~= 0 or urgent then
        account.limit = request.ownLimit
        -- A refusal during a report makes the account due for another report, as a change does.
        account.unreported = sum(account.unreported, changed > 0 and changed or urgent and 1 or 0)
        if changed > 0 or urgent then markOf(prefix, open.start, request.text, account, remaining, urgent) end
        writeAccount(open.name, account, countedUntil(request, open.stop))
    end
    return admitted, remaining, reset, wait, ahead, untilMicros,
        account.taken, account.returned, account.usedElsewhere, grantedTo(account)
end
