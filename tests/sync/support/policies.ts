const exampleKeys = { allowed: ['example.com/'] }

/** Labels and annotations under `example.com/` are carried, as tests like to write them. */
export const exampleKeysAllowed = { sync: { labels: exampleKeys, annotations: exampleKeys } }
