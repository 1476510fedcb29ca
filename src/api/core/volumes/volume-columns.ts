const shortModes: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
]

/** `RWO,RWX`: the access modes, each once. */
export function accessModesText(modes: readonly string[] = []): string {
  return shortModes
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',')
}

export function storageText(amounts: Readonly<Record<string, string | number>> = {}): string {
  return String(amounts.storage ?? '0')
}

export function orUnset(text: string | undefined): string {
  return text === undefined ? '<unset>' : text
}

/** Older objects name their class in an annotation. */
export function classOf(
  className: string | undefined,
  annotations: Readonly<Record<string, string>> | undefined,
): string {
  return annotations?.['volume.beta.kubernetes.io/storage-class'] ?? className ?? ''
}
