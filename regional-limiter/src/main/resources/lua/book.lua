-- What a region keeps of one limit in one window, where regions share the limit: Book in Java.
--
-- KEYS   the book: taken (6 bytes), returned (6), unreported (4), flags (1); then by flags
--          the limit (6) where it is not the policy's;
--          what was last told: epoch (4), sequence (5), elsewhere (6), applied (6), version (4) and limit (6) of the flag;
--          in escrow: granted (6), grant returned (6), refused (6), asked (6);
--          in escrow, once it is decided: what the region may spend without a grant, its floor (6)
--        flags: when it is due to be reported (2 bits), then a bit each for limit, told, escrow, blocked and floor
--        {sN}d, the books of a shard that are to be reported, by the time at which they are due: a member is the hash of the
--        book's prefix (7), the start of its window in seconds (5), its life (8), length (1) and policy, length (2) and key. The
--        set outlives a life, where the data does
-- Why here: several scripts read and write books.
local CLEAN, LATER, NOW, CLAIMED = 0, 1, 2, 3
local OWN_LIMIT, TOLD, ESCROW, BLOCKED, FLOOR = 4, 8, 16, 32, 64
-- Milliseconds: how long a change that hardly matters waits; how long one who takes books to report them has for it, longer
-- than Kafka's producer tries, so that nobody's older count comes after a newer one; how long
-- a book outlives its window if it was reported, and if it was not, which is longer than Kafka may be away.
local HEARTBEAT, CLAIM, GRACE, UNREPORTED_GRACE = 1000, 4000, 600000, 93600000
local DIRTY_MAX = 100000
local UNREPORTED_MAX = 4294967295
local BOOK_MAX = 281474976710655

-- The life as books and sets name it; where lives are not told apart, the first.
local LIFE = ARGV[2] and #ARGV[2] == 8 and ARGV[2] or pack('>I8', 1)

local function bookKey(prefix, start)
    return prefix .. 'u' .. pack('>I5', start / 1000000)
end

-- The sum, as far as six bytes hold it.
local function sum(number, more)
    return number + more < BOOK_MAX and number + more or BOOK_MAX
end

-- All that the region may spend: its floor and its grants, less what it has given back.
local function heldOf(book)
    return (book.floor or 0) + book.granted - book.grantReturned
end

local function has(flags, bit)
    return flags % (bit * 2) >= bit
end

local function readBook(raw)
    local book = { taken = 0, returned = 0, unreported = 0, due = CLEAN, limit = 0,
        epoch = 0, sequence = 0, elsewhere = 0, applied = 0, version = 0, flagLimit = 0, blocked = false,
        granted = 0, grantReturned = 0, refused = 0, asked = 0 }
    if not raw then return book end
    local flags, pos
    book.taken, book.returned, book.unreported, flags, pos = unpack('>I6I6I4B', raw)
    book.due = flags % 4
    book.blocked = has(flags, BLOCKED)
    if has(flags, OWN_LIMIT) then book.limit, pos = unpack('>I6', raw, pos) end
    if has(flags, TOLD) then
        book.epoch, book.sequence, book.elsewhere, book.applied, book.version, book.flagLimit, pos =
            unpack('>I4I5I6I6I4I6', raw, pos)
    end
    if has(flags, ESCROW) then
        book.granted, book.grantReturned, book.refused, book.asked, pos = unpack('>I6I6I6I6', raw, pos)
    end
    if has(flags, FLOOR) then book.floor = unpack('>I6', raw, pos) end
    return book
end

local function packBook(book)
    local flags = book.due + (book.blocked and BLOCKED or 0)
    local parts = ''
    if book.limit > 0 then
        flags, parts = flags + OWN_LIMIT, pack('>I6', book.limit)
    end
    if book.epoch > 0 then
        flags = flags + TOLD
        parts = parts .. pack('>I4I5I6I6I4I6', book.epoch, book.sequence, book.elsewhere, book.applied, book.version,
            book.flagLimit)
    end
    if book.granted > 0 or book.grantReturned > 0 or book.refused > 0 or book.asked > 0 then
        flags = flags + ESCROW
        parts = parts .. pack('>I6I6I6I6', book.granted, book.grantReturned, book.refused, book.asked)
    end
    if book.floor then
        flags, parts = flags + FLOOR, parts .. pack('>I6', book.floor)
    end
    local unreported = book.unreported < UNREPORTED_MAX and book.unreported or UNREPORTED_MAX
    return pack('>I6I6I4B', book.taken, book.returned, unreported, flags) .. parts
end

local function writeBook(name, book, untilMicros)
    local rest = untilMicros > now and untilMicros - now or 0
    local grace = book.due == CLEAN and GRACE or UNREPORTED_GRACE
    call('SET', name, packBook(book), 'PX', string.format('%.0f', (rest - rest % 1000) / 1000 + grace))
end

-- Has a book reported: at once if what changed is more than a small share of what remains, else a little later. Beyond a
-- bound it is not, until the next change.
local function mark(dirty, member, book, remaining, urgent)
    local due = (urgent or book.unreported * 64 >= remaining) and NOW or LATER
    if book.due >= due then return end
    if book.due == CLEAN and call('ZCARD', dirty) >= DIRTY_MAX then return end
    local at = (now - now % 1000) / 1000 + (due == LATER and HEARTBEAT or 0)
    call('ZADD', dirty, string.format('%.0f', at), member)
    call('PEXPIRE', dirty, string.format('%.0f', UNREPORTED_GRACE))
    book.due = due
end

local function dirtyKey(prefix)
    return string.match(prefix, '^{s%d+}') .. 'd'
end

local function memberOf(prefix, dirty, start, text)
    return sub(prefix, #dirty) .. pack('>I5', start / 1000000) .. LIFE .. text
end
