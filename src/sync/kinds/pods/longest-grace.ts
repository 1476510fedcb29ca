/** A Pod that takes years to end would keep its node from being drained. */
export const longestGraceSeconds = 3_600
