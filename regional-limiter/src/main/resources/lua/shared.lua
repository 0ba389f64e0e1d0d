-- Limits that regions share: SharedTurn in Java. Converge counts what this region used and what it was told of the others;
-- escrow spends what it was granted. An algorithm without aligned windows has a counter of its own, charged with what the
-- others used, and books that only hold the accounts.
--
-- KEYS   a prefix: its books (book.lua), and the counter under prefix, 'c' and the number of the algorithm's layout (AlgorithmCode)
-- ARGV   after the fields of any ask: sharing (1 byte: 1 converge, 2 converge without windows, 3 escrow), up to where what the
--        others used is charged (8; ChargedCapacity), version of the policy (4), window in microseconds (8; 0: calendar month),
--        the limit if it is not the policy's, else 0 (6), overdraft (8, signed; -1: up to the limit, and of
--        what is settled that all of it counts), asked (8; of what is
--        settled the time at which it was taken); in escrow the offer of a floor (FloorOffer): its units (6), and the starts of
--        the windows for which it holds, from (8) and before (8); length (1) and policy, length (2) and key
-- Reply  admitted, remaining, reset, wait, ahead, until, taken, returned, elsewhere, held
-- Why a script: see call.lua
local SHARED_BYTES, OFFER_BYTES = 43, 22
local GRANTED_WITHIN = 1000000

-- Where policy and key begin in what follows the fields of any ask.
local function textAt(ext)
    return ext + SHARED_BYTES + (byte(args, ext) == 3 and OFFER_BYTES or 0)
end

-- The length of what follows the fields of any ask.
local function sharedLength(ext)
    local at = textAt(ext)
    local policy = byte(args, at)
    local key = unpack('>I2', args, at + 1 + policy)
    return at - ext + 3 + policy + key
end

-- Whether what was taken then is of a life before this one, which never counted it.
local function isOfAnotherLife(taken)
    return ARGV[2] and ARGV[2] ~= '' and taken < unpack('>I8', ARGV[2])
end

local function periodOf(at, window)
    if window > 0 then
        local start = at - at % window
        return start, start + window
    end
    local start = monthStart(at)
    return start, monthStart(start + 31 * DAY)
end

-- Until when a book is needed: what slides or drains counts the period before, too.
local function countedUntil(sharing, stop, window)
    if sharing ~= 2 then return stop end
    local _, after = periodOf(stop, window)
    return after
end

local function counted(algorithm, key, raw, kind, pos, list)
    if algorithm >= 4 then return bucket(key, raw, kind, pos, algorithm == 5) end
    if algorithm == 3 then return slidingWindowEstimate(key, raw, kind, pos) end
    return slidingWindow(key, raw, kind, pos, list)
end

-- Charges the counter with what the others used since it was last charged, at most up to `chargedMax`.
local function charge(book, algorithm, counter, list, pos, chargedMax)
    local more = book.elsewhere - book.applied
    if more == 0 then return false end
    local saved, size = args, algorithm >= 4 and 40 or 24
    local capacity = unpack('>I8', args, pos + 8)
    if more > 0 then
        args = pack('>I8I8', more, chargedMax) .. sub(saved, pos + 16, pos + size - 1)
        counted(algorithm, counter, call('GET', counter), SETTLE, 1, list)
    else
        args = pack('>I8I8', -more, capacity) .. sub(saved, pos + 16, pos + size - 1) .. pack('>I8', now)
        counted(algorithm, counter, call('GET', counter), GIVE_BACK, 1, list)
    end
    args = saved
    book.applied = book.elsewhere
    return true
end

local function freeOf(book, escrow, capacity, version, overdraft)
    local own = book.taken - book.returned
    local free
    if not escrow then
        if book.blocked and book.version == version and capacity <= book.flagLimit then return 0, true end
        free = capacity - own - book.elsewhere
    else
        local line = heldOf(book)
        if overdraft < 0 then
            if line < capacity then line = capacity end
        else
            line = line + overdraft
        end
        free = line - own
    end
    return free > 0 and free or 0, false
end

-- Does `kind` of what was written as `wanted`; `noting` if what is asked for in vain counts too.
local function sharedTurn(prefix, kind, wanted, pos, algorithm, noting)
    local cost, capacity = unpack('>I8I8', args, pos)
    local extra = (wanted == TAKE_AHEAD and 16 or wanted == GIVE_BACK and 8 or 0)
    local from = pos + (algorithm >= 4 and 40 or 24)
    local ext = from + extra
    local sharing, chargedMax, version, window, ownLimit, overdraft, asked = unpack('>BI8I4I8I6i8I8', args, ext)
    if wanted == GIVE_BACK and isOfAnotherLife(unpack('>I8', args, from)) then
        cost = 0
        args = sub(args, 1, pos - 1) .. pack('>I8', 0) .. sub(args, pos + 8)
    end
    local start, stop = periodOf(now, window)
    local name = bookKey(prefix, start)
    local raw = call('GET', name)
    local book = readBook(raw)
    local dirty = dirtyKey(prefix)
    local text = sub(args, textAt(ext), ext + sharedLength(ext) - 1)
    local escrow = sharing == 3
    -- The first ask of a window decides on its floor. Only what is written anyway stores that, too.
    if escrow and not book.floor then
        local units, from, before = unpack('>I6I8I8', args, ext + SHARED_BYTES)
        book.floor = start >= from and start < before and units or 0
    end
    local changed, urgent = 0, false
    local admitted, remaining, reset, wait, ahead, untilMicros = 1, 0, stop, 0, nil, nil
    local counter, list
    if sharing == 2 then
        counter = prefix .. 'c' .. (algorithm == 2 and 7 or algorithm)
        list = algorithm == 1 and counter .. 'l' or nil
        local before = bookKey(prefix, periodOf(start - 1, window))
        local rawBefore = call('GET', before)
        if rawBefore then
            local bookBefore = readBook(rawBefore)
            if charge(bookBefore, algorithm, counter, list, pos, chargedMax) then
                call('SET', before, packBook(bookBefore), 'KEEPTTL')
            end
        end
        if charge(book, algorithm, counter, list, pos, chargedMax) then
            call('SET', name, packBook(book), 'KEEPTTL')
        end
    end

    -- What concerns an earlier window is in that window's book, so that its total is what was admitted.
    local function amend(taken, giving)
        local takenStart, takenStop = periodOf(taken, window)
        local same = takenStart == start
        local theirName = same and name or bookKey(prefix, takenStart)
        local theirRaw = raw
        if not same then theirRaw = call('GET', theirName) end
        -- A later window without a book is of a clock that is ahead of this one; one with a book was here before this clock was
        -- set back.
        if taken > now and not theirRaw then
            takenStart, takenStop, same, theirName, theirRaw = start, stop, true, name, raw
        end
        if giving and not theirRaw then return end
        -- What came so late that the book is gone is forgiven: a new one would count from nothing.
        if not theirRaw and now >= takenStop + GRACE * 1000 then return end
        local theirs = same and book or readBook(theirRaw)
        local units = cost
        if not giving and escrow and overdraft == 0 then
            local free = freeOf(theirs, escrow, capacity, version, 0)
            if free < units then units = free end
        end
        if giving then
            local own = theirs.taken - theirs.returned
            if own < units then units = own end
            theirs.returned = theirs.returned + units
        else
            theirs.taken = sum(theirs.taken, units)
        end
        if units == 0 then return end
        if same then
            changed = units
        else
            theirs.unreported = theirs.unreported + units
            mark(dirty, memberOf(prefix, dirty, takenStart, text), theirs, 0, true)
            writeBook(theirName, theirs, countedUntil(sharing, takenStop, window))
        end
    end

    if sharing == 2 then
        local value = call('GET', counter)
        if kind == RESET then
            call('DEL', counter)
            if list then call('DEL', list) end
            if raw then changed = book.taken - book.returned end
            book.returned = book.taken
            kind, value = PEEK, false
        end
        admitted, remaining, reset, wait, ahead, untilMicros = counted(algorithm, counter, value, kind, pos, list)
        if kind <= TAKE_AHEAD and admitted == 1 and cost > 0 then
            changed = cost + (ahead or 0)
            book.taken = sum(book.taken, changed)
        elseif kind == SETTLE then
            amend(asked, false)
        elseif kind == GIVE_BACK then
            amend(unpack('>I8', args, from), true)
        end
    else
        local free, blocked = freeOf(book, escrow, capacity, version, overdraft)
        noting = noting and escrow and wanted <= TAKE_AHEAD
        -- What another limit of the group refuses and this one would admit is no demand for a grant.
        if kind == PEEK and (cost > 0 and cost or 1) <= free then noting = false end
        if noting and asked > 0 then
            book.asked = sum(book.asked, asked)
            changed = -1
        end
        if kind == RESET then
            if raw then changed = book.taken - book.returned end
            book.returned = book.taken
            free, blocked = freeOf(book, escrow, capacity, version, overdraft)
            kind, cost = PEEK, 1
        end
        if kind <= PEEK then
            local needed = cost > 0 and cost or 1
            if needed > free then
                admitted = 0
                local left = stop - now
                wait = needed > capacity and NEVER or left
                if wait > 0 and escrow and not (book.blocked and book.version == version and capacity <= book.flagLimit)
                    and left > GRANTED_WITHIN then wait = GRANTED_WITHIN end
                -- A refusal is demand for a grant only if enough of the limit is left, as far as the region was told.
                local left = capacity - (book.taken - book.returned) - book.elsewhere
                if noting and cost > 0 and cost <= left then
                    local most = capacity < BOOK_MAX and capacity or BOOK_MAX
                    local all = sum(book.refused, cost)
                    if book.refused < most then book.refused = all < most and all or most end
                    urgent = true
                end
            elseif kind ~= PEEK and cost > 0 then
                book.taken, free, changed = sum(book.taken, cost), free - cost, cost
                if kind == TAKE_AHEAD then
                    local wish, horizon = unpack('>I8I8', args, from)
                    local share = (free - free % 16) / 16
                    if share > wish then share = wish end
                    if share > 0 then
                        ahead, untilMicros = share, now + horizon
                        if untilMicros > stop then untilMicros = stop end
                        book.taken, free, changed = sum(book.taken, share), free - share, changed + share
                    end
                end
            end
        else
            if kind == GIVE_BACK then amend(unpack('>I8', args, from), true) else amend(asked, false) end
            free = freeOf(book, escrow, capacity, version, overdraft)
        end
        remaining = free
    end
    -- A region that asks how a limit stands and knows nothing of it reports that, so that it is told what the others used.
    if wanted == PEEK and not raw then urgent = true end
    if changed ~= 0 or urgent then
        book.limit = ownLimit
        -- What is refused while the book is being reported is to be reported again, too.
        book.unreported = book.unreported + (changed > 0 and changed or urgent and 1 or 0)
        if changed > 0 or urgent then mark(dirty, memberOf(prefix, dirty, start, text), book, remaining, urgent) end
        writeBook(name, book, countedUntil(sharing, stop, window))
    end
    return admitted, remaining, reset, wait, ahead, untilMicros,
        book.taken, book.returned, book.elsewhere, heldOf(book)
end
