package io.meridian.bench.app;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/** Resource usage of this process since its start, as two numbers: CPU nanoseconds, and bytes allocated by its live threads. */
@Path("/bench/meter")
class MeterResource {
    @GET
    @NonBlocking
    public String used() {
        long cpuNanos =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
        ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
        long bytes = Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                .filter(each -> each > 0)
                .sum();
        return cpuNanos + " " + bytes;
    }
}
