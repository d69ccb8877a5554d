/** The service cannot start, and the message is the one sentence that tells the operator what to do. */
export class StartError extends Error {}
