export interface PatchCount {
  matched: number
  changed: number
  notFound: number
  failed: number
}

const line = /^tenant_patch_results_total\{([^}\n]{0,4000})\} (\d{1,15})/gm
const results: Readonly<Record<string, keyof PatchCount>> = {
  matched: 'matched',
  changed: 'changed',
  notFound: 'notFound',
  'not found': 'notFound',
  not_found: 'notFound',
  failed: 'failed',
}

/** The counters of patches in the metrics text, by `kind path`. */
export function patchCounts(metrics: string): ReadonlyMap<string, PatchCount> {
  const counts = new Map<string, PatchCount>()
  for (const [, labels = '', value = '0'] of metrics.matchAll(line)) {
    const { kind = '', patch = '', result = '' } = readLabels(labels)
    const member = results[result]
    const count = counts.get(`${kind} ${patch}`) ?? { matched: 0, changed: 0, notFound: 0, failed: 0 }
    if (member !== undefined) count[member] += Number(value)
    counts.set(`${kind} ${patch}`, count)
  }
  return counts
}

function readLabels(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(/(\w{1,64})="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll(/\\(.)/g, '$1'),
    ]),
  )
}
