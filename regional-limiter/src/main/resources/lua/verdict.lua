-- What the leader says of limits in their windows: Book.hear in Java. The newest is believed, grants only grow, and what is
-- called back is given back before it is reported.
--
-- KEYS   of every verdict the prefix of its limit (see shared.lua); last the life
-- ARGV   [1] nothing [2] the life; then for every verdict, packed: start of the window and until when it counts, in microseconds, epoch,
--        sequence, elsewhere, version and limit the flag speaks of, granted, keep (8 bytes each; keep signed, -1: all),
--        blocked (1); length (1) and policy, length (2) and key
-- Reply  nothing
-- Why a script: a book is read, judged and written as one.
if not isAlive(call('GET', KEYS[#KEYS])) then return redis.error_reply('LIFE') end

local function hear(prefix, name, book, said)
    local start, stop, epoch, sequence, elsewhere, version, limit, granted, keep, blocked, textAt =
        unpack('>I8I8I8I8I8I8I8I8i8B', said)
    local newer = epoch > book.epoch or epoch == book.epoch and sequence > book.sequence
    local more = granted > book.granted
    if more then book.granted, book.refused = granted, 0 end
    if newer then
        book.epoch, book.sequence, book.elsewhere, book.refused = epoch, sequence, elsewhere, 0
        book.blocked, book.version, book.flagLimit = blocked == 1, version, limit
        -- A region that is asked to give something back before it was first asked for any has no floor from then on.
        local decides = keep >= 0 and not book.floor
        if decides then book.floor = 0 end
        local unspent = heldOf(book) - (book.taken - book.returned)
        local back = keep >= 0 and unspent > keep and unspent - keep or 0
        if back > 0 or decides then
            book.grantReturned = book.grantReturned + back
            book.unreported = book.unreported + (back > 0 and back or 1)
            -- Nobody asks here, so nobody says under which limit: it is the one that the leader knows.
            book.limit = limit
            local dirty = dirtyKey(prefix)
            mark(dirty, memberOf(prefix, dirty, start, sub(said, textAt)), book, 0, true)
        end
    end
    if newer or more then writeBook(name, book, stop) end
end

for i = 1, #KEYS - 1 do
    local prefix, said = KEYS[i], ARGV[i + 2]
    local start, stop = unpack('>I8I8', said)
    local name = bookKey(prefix, start)
    local raw = call('GET', name)
    -- A window that counts no more and of which nothing is kept is not begun again.
    if raw or now < stop then hear(prefix, name, readBook(raw), said) end
end
return 1
