package io.meridian.config.explain;

import io.meridian.config.database.Timestamps;
import io.meridian.config.explain.Explanation.LimitItem;
import io.meridian.config.explain.Explanation.ListHit;
import io.meridian.config.explain.Explanation.RegionItem;
import io.meridian.model.match.Limit;
import io.meridian.model.wire.RegionQueryReply;
import io.meridian.model.wire.RegionQueryReply.Standing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answer that a region would give to a check, from the lists, the limits that apply and their state there.
 *
 * @param limits by policy
 * @param cost of a check for a policy that a region has and this revision of the rules does not
 */
record RegionVerdict(@Nullable ListHit list, Map<String, Limit> limits, long cost) {
    static final String DENY_LIST = "deny-list";

    /**
     * The answer of one region.
     *
     * @param reason why the region has no reply
     */
    RegionItem of(String region, @Nullable RegionQueryReply reply, String reason) {
        List<LimitItem> items = new ArrayList<>();
        if (reply != null) {
            reply.limits().forEach(standing -> items.add(item(standing)));
        }
        String why = reply == null ? reason : null;
        if (list != null) {
            boolean denied = list.list().equals(DENY_LIST);
            String detail = "the client is on the " + list.list() + " as " + list.identifierType() + " "
                    + list.identifier() + (denied ? "" : ", which exempts it from every policy");
            return new RegionItem(region, reply != null, why, denied ? 403 : 200, !denied, null, detail, items);
        }
        if (reply == null) {
            boolean free = limits.isEmpty();
            return new RegionItem(
                    region,
                    false,
                    why,
                    free ? 200 : null,
                    free ? true : null,
                    null,
                    free ? "no policy applies" : "the state of the limits is not known",
                    items);
        }
        Optional<LimitItem> refusing = items.stream()
                .filter(item -> !item.admits() && !item.shadow())
                .max(Comparator.comparing(LimitItem::resetAt));
        String detail = refusing.map(item -> "policy " + item.policy() + " has " + item.remaining() + " of "
                        + item.limit() + " left, and the check costs " + item.cost())
                .orElse(items.isEmpty() ? "no policy applies" : "every limit has room for the check");
        return new RegionItem(
                region,
                true,
                null,
                refusing.isPresent() ? 429 : 200,
                refusing.isEmpty(),
                refusing.map(LimitItem::policy).orElse(null),
                detail,
                items);
    }

    private LimitItem item(Standing standing) {
        Optional<Limit> own = Optional.ofNullable(limits.get(standing.policy()));
        long charged = own.map(Limit::cost).orElse(cost);
        return new LimitItem(
                standing.policy(),
                standing.key(),
                standing.limit(),
                standing.used(),
                standing.remaining(),
                Timestamps.ofMicros(standing.resetAtMicros()).toString(),
                charged,
                charged <= standing.remaining(),
                own.map(limit -> limit.policy().enforcement().isShadow()).orElse(false));
    }
}
