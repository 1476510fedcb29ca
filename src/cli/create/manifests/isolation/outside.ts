import { isInRange, parseRange } from '../../../../api/core/addresses/ip-range.ts'
import type { IPBlock } from '../../../../api/types/networking-v1.ts'
import { neverEndpointRanges } from '../../../../sync/policy/addresses.ts'

/**
 * Networks of hosts and their operators: they contain Pods of other tenants, nodes, and much that trusts its neighbors.
 */
const privateRanges: readonly string[] = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '192.0.0.0/24',
  '198.18.0.0/15',
  'fc00::/7',
]

const parsedPrivate = privateRanges.flatMap((range) => parseRange(range) ?? [])

/** Every public address except the given ones. Private ranges are not listed again: each node may have one. */
export function outsideBlocks(denied: readonly string[]): readonly IPBlock[] {
  const more = denied.filter((range) => !isPrivate(range))
  const closed = [...new Set([...privateRanges, ...neverEndpointRanges, ...more].map(wholeRange))]
  const blockOf = (cidr: string, except: readonly string[]) =>
    except.some((range) => range.endsWith('/0')) ? [] : [{ cidr, except }]
  return [
    ...blockOf(
      '0.0.0.0/0',
      closed.filter((range) => !range.includes(':')),
    ),
    ...blockOf(
      '::/0',
      closed.filter((range) => range.includes(':')),
    ),
  ]
}

function isPrivate(text: string): boolean {
  const range = parseRange(text)
  return range !== undefined && parsedPrivate.some((each) => range.bits >= each.bits && isInRange(range.first, each))
}

/** A single address as a range. */
export function wholeRange(text: string): string {
  if (text.includes('/')) return text
  return text.includes(':') ? `${text}/128` : `${text}/32`
}
