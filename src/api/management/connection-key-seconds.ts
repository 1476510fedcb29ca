/** How long a connection key may live. */
export const connectionKeySeconds = { shortest: 10, longest: 3600 } as const
