const exampleKeys = { allowed: ['example.com/'] }

/** Labels and annotations under `example.com/`, which tests use, are synced. */
export const exampleKeysAllowed = { sync: { labels: exampleKeys, annotations: exampleKeys } }
