// The worker of a page.

import { serve } from "./worker-core.js";

serve({ listen: (listener) => addEventListener("message", ({ data }) => listener(data)), post: (message, transfer) => postMessage(message, transfer) }, {});
