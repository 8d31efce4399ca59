/** Keeps the SDK from printing its notice about the version of Node into our output: `headrace doctor` tells it. */
export const QUIET_SDK = { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' };
