package io.meridian.model.match;

import io.meridian.model.match.PolicySets.Alternatives;
import io.meridian.model.policy.EndpointPattern;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Endpoint patterns by segment: finds the policies of a path without looking at any other pattern. */
final class EndpointTrie {
    private final int words;
    private final Node root;

    EndpointTrie(int words) {
        this.words = words;
        this.root = new Node();
    }

    private static final class Node {
        final Map<String, Node> children = new HashMap<>();

        @Nullable Node wildcard;
        /** Policies with a pattern that ends here; null for none, or memory would grow with the square of policies. */
        long @Nullable [] here;
        /** Policies with a pattern that goes on with a last {@code *}: everything below; null for none. */
        long @Nullable [] below;
    }

    void add(EndpointPattern pattern, int index) {
        if (pattern.text().equals(EndpointPattern.WILDCARD)) {
            root.here = PolicySets.with(root.here, index, words);
            root.below = PolicySets.with(root.below, index, words);
            return;
        }
        List<String> segments = pattern.segments();
        Node node = root;
        for (int i = 0; i < segments.size(); i++) {
            String segment = segments.get(i);
            if (!segment.equals(EndpointPattern.WILDCARD)) {
                node = node.children.computeIfAbsent(segment, s -> new Node());
            } else if (i == segments.size() - 1) {
                node.below = PolicySets.with(node.below, index, words);
                return;
            } else {
                if (node.wildcard == null) {
                    node.wildcard = new Node();
                }
                node = node.wildcard;
            }
        }
        node.here = PolicySets.with(node.here, index, words);
    }

    /**
     * To be called once, after the last {@link #add}: every node takes over its ancestors' policies for everything below them,
     * so that a way through the trie yields one set, at its end.
     */
    void seal() {
        seal(root, null);
    }

    private static void seal(Node node, long @Nullable [] inherited) {
        node.here = PolicySets.union(node.here, inherited);
        long[] below = PolicySets.union(node.below, inherited);
        node.below = below;
        node.children.values().forEach(child -> seal(child, below));
        if (node.wildcard != null) {
            seal(node.wildcard, below);
        }
    }

    /** Adds the policies of a path to {@code found}: as references, so that nothing grows with their number. */
    void find(List<String> segments, Alternatives found) {
        find(root, segments, 0, found);
    }

    private static void find(Node node, List<String> segments, int depth, Alternatives found) {
        if (depth == segments.size()) {
            found.add(node.here);
            return;
        }
        Node child = node.children.get(segments.get(depth));
        if (child != null) {
            find(child, segments, depth + 1, found);
        }
        if (node.wildcard != null) {
            find(node.wildcard, segments, depth + 1, found);
        }
        if (child == null && node.wildcard == null) {
            found.add(node.below);
        }
    }
}
