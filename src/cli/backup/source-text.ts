import type { BackupSource } from '../../backup/envelope/header.ts'

const typeWords = { platform: 'platform', virtualCluster: 'virtual cluster', cluster: 'cluster' } as const

/** `virtual cluster shop/web`. */
export function sourceText({ type, name }: Pick<BackupSource, 'type' | 'name'>): string {
  return `${typeWords[type]} ${name}`
}
