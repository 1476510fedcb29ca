import type { Etcd } from '../../tests/support/stores/etcd.ts'

export interface EtcdUsage {
  readonly cpuSeconds: number
  readonly writes: number
  readonly databaseBytes: number
}

/** According to etcd's own metrics. */
export async function etcdUsage({ endpoint, call }: Etcd): Promise<EtcdUsage> {
  const metrics = await (await fetch(`${endpoint}/metrics`)).text()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN)
  // An empty range returns the revision, which every write raises by one.
  const answer = await call('/v3/kv/range', { key: Buffer.from('none').toString('base64') })
  return {
    cpuSeconds: value('process_cpu_seconds_total'),
    writes: revisionIn(answer),
    databaseBytes: value('etcd_mvcc_db_total_size_in_bytes'),
  }
}

function revisionIn(answer: object): number {
  const { header } = answer as { readonly header?: { readonly revision?: string } }
  return Number(header?.revision ?? Number.NaN)
}
