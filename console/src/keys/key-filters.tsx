import { useDeferredValue, useMemo } from 'react'
import { Choice, TextInput } from '../parts/field.tsx'
import { SearchIcon } from '../parts/icons.tsx'
import type { KeyFilter } from './filter.ts'
import type { KeyRow } from './key-row.ts'

interface KeyFiltersProps {
  readonly filter: KeyFilter
  readonly rows: readonly KeyRow[]
  readonly onChange: (filter: KeyFilter) => void
}

const phases = [
  ['', 'Every phase'],
  ['Active', 'Active'],
  ['Disabled', 'Disabled'],
  ['Expired', 'Expired'],
  ['Deleting', 'Deleting'],
] as const

const lives = [
  ['any', 'Any life'],
  ['soon', 'Ends within 7 days'],
  ['unlimited', 'Without an end'],
  ['unused', 'Unused for 30 days'],
] as const

export function KeyFilters({ filter, rows, onChange }: KeyFiltersProps) {
  const owners = useOwners(rows)
  return (
    <div className="flex flex-wrap gap-2">
      <div className="relative min-w-52 flex-1 sm:max-w-sm">
        <span className="pointer-events-none absolute inset-y-0 left-2.5 grid place-items-center text-muted">
          <SearchIcon />
        </span>
        <div className="[&_input]:pl-8">
          <TextInput
            type="search"
            aria-label="Search access keys"
            placeholder="Search name, owner, scope, address…"
            value={filter.text}
            onChange={(text) => onChange({ ...filter, text })}
          />
        </div>
      </div>
      <div className="w-34">
        <Choice
          aria-label="Phase"
          value={filter.phase}
          choices={phases}
          onChange={(phase) => onChange({ ...filter, phase })}
        />
      </div>
      <div className="w-40">
        <Choice
          aria-label="Owner"
          value={filter.owner}
          choices={owners}
          onChange={(owner) => onChange({ ...filter, owner })}
        />
      </div>
      <div className="w-44">
        <Choice
          aria-label="Life"
          value={filter.life}
          choices={lives}
          onChange={(life) => onChange({ ...filter, life })}
        />
      </div>
    </div>
  )
}

const mostOwners = 500

function useOwners(rows: readonly KeyRow[]): readonly (readonly [string, string])[] {
  const settled = useDeferredValue(rows)
  return useMemo(() => {
    const names = new Map<string, string>()
    for (const row of settled) {
      if (!names.has(row.ownerId))
        names.set(row.ownerId, row.ownerKind === 'user' ? row.owner : `${row.owner} (${row.ownerKind})`)
      if (names.size >= mostOwners) break
    }
    return [['', 'Every owner'] as const, ...[...names].sort((a, b) => (a[1] < b[1] ? -1 : 1))]
  }, [settled])
}
