/**
 * The clock of this process. It runs with the real time, except in a sandbox, which moves it together with the clock of its database
 * (start/sandbox/clock.ts).
 */
export const processClock = { shiftMs: 0 }

export const clockNow = () => Date.now() + processClock.shiftMs
