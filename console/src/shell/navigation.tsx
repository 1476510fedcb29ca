import { Link, type LinkProps } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import {
  ClusterIcon,
  KeyIcon,
  OverviewIcon,
  PatchIcon,
  ProjectIcon,
  TeamIcon,
  TenantIcon,
  UserIcon,
} from '../parts/icons.tsx'

interface Entry {
  readonly to: NonNullable<LinkProps['to']>
  readonly label: string
  readonly icon: ComponentType
}

interface Section {
  readonly title: string
  readonly entries: readonly Entry[]
}

const sections: readonly Section[] = [
  {
    title: '',
    entries: [
      { to: '/', label: 'Overview', icon: OverviewIcon },
      { to: '/virtual-clusters', label: 'Virtual clusters', icon: TenantIcon },
      { to: '/projects', label: 'Projects', icon: ProjectIcon },
      { to: '/clusters', label: 'Clusters', icon: ClusterIcon },
    ],
  },
  {
    title: 'Users',
    entries: [
      { to: '/keys', label: 'Access keys', icon: KeyIcon },
      { to: '/users', label: 'Users', icon: UserIcon },
      { to: '/teams', label: 'Teams', icon: TeamIcon },
    ],
  },
  {
    title: 'Tools',
    entries: [{ to: '/playground', label: 'Patch playground', icon: PatchIcon }],
  },
]

export function Navigation({ onNavigate }: { readonly onNavigate?: () => void }) {
  return (
    <nav aria-label="Main" className="grid gap-4">
      {sections.map(({ title, entries }) => (
        <div key={title}>
          {title !== '' && <p className="px-2.5 pb-1 text-xs font-semibold text-muted">{title}</p>}
          <ul className="grid gap-px">
            {entries.map((entry) => (
              <NavigationLink key={entry.label} entry={entry} onNavigate={onNavigate} />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function NavigationLink({
  entry,
  onNavigate,
}: {
  readonly entry: Entry
  readonly onNavigate: (() => void) | undefined
}) {
  const { to, label, icon: EntryIcon } = entry
  return (
    <li>
      <Link
        to={to}
        activeOptions={{ exact: to === '/' }}
        className="flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-muted hover:bg-raised hover:text-text"
        activeProps={{ className: 'bg-accent-soft !text-accent font-medium', 'aria-current': 'page' }}
        {...(onNavigate === undefined ? {} : { onClick: onNavigate })}
      >
        <EntryIcon />
        {label}
      </Link>
    </li>
  )
}
