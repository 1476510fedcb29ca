import type { Links } from './links.ts'

export function linkMetrics(links: Links): string {
  return [
    '# HELP platform_links Virtual clusters that are linked to this replica.',
    '# TYPE platform_links gauge',
    `platform_links ${[...links.current()].length}`,
    '',
  ].join('\n')
}
