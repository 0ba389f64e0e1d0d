package io.meridian.model.match;

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
        this.root = new Node(words);
    }

    private static final class Node {
        final Map<String, Node> children = new HashMap<>();

        @Nullable Node wildcard;
        /** Policies with a pattern that ends here. */
        final long[] here;
        /** Policies with a pattern that goes on with a last {@code *}: everything below. */
        final long[] below;

        Node(int words) {
            here = new long[words];
            below = new long[words];
        }
    }

    void add(EndpointPattern pattern, int index) {
        if (pattern.text().equals(EndpointPattern.WILDCARD)) {
            Bits.set(root.here, index);
            Bits.set(root.below, index);
            return;
        }
        List<String> segments = pattern.segments();
        Node node = root;
        for (int i = 0; i < segments.size(); i++) {
            String segment = segments.get(i);
            if (!segment.equals(EndpointPattern.WILDCARD)) {
                node = node.children.computeIfAbsent(segment, s -> new Node(words));
            } else if (i == segments.size() - 1) {
                Bits.set(node.below, index);
                return;
            } else {
                if (node.wildcard == null) {
                    node.wildcard = new Node(words);
                }
                node = node.wildcard;
            }
        }
        Bits.set(node.here, index);
    }

    /** Adds the policies of a path to {@code found}: as references, so that nothing grows with their number. */
    void find(String[] segments, Alternatives found) {
        find(root, segments, 0, found);
    }

    private static void find(Node node, String[] segments, int depth, Alternatives found) {
        if (depth == segments.length) {
            found.add(node.here);
            return;
        }
        found.add(node.below);
        Node child = node.children.get(segments[depth]);
        if (child != null) {
            find(child, segments, depth + 1, found);
        }
        if (node.wildcard != null) {
            find(node.wildcard, segments, depth + 1, found);
        }
    }
}
