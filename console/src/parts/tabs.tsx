import { useNavigate, useSearch } from '@tanstack/react-router'
import { Tabs as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'

export interface Tab {
  readonly id: string
  readonly label: string
  readonly content: ReactNode
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
}

/** The tabs of a page. The address names the open one, so that a reload and the way back lead to it. */
export function PageTabs({ label, tabs }: TabsProps) {
  const { tab } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [first] = tabs
  const open = tabs.find(({ id }) => id === tab) ?? first
  const choose = (id: string) => {
    const search = id === first?.id ? {} : { tab: id }
    void navigate({ to: '.', search, state: true, replace: true, resetScroll: false })
  }
  return <TabList label={label} tabs={tabs} value={open?.id ?? ''} onValueChange={choose} />
}

export function Tabs({ label, tabs }: TabsProps) {
  const [first] = tabs
  return <TabList label={label} tabs={tabs} defaultValue={first?.id ?? ''} />
}

type ListProps = TabsProps & Pick<ComponentProps<typeof Radix.Root>, 'value' | 'defaultValue' | 'onValueChange'>

/** Only the open tab is rendered. */
function TabList({ label, tabs, ...choice }: ListProps) {
  return (
    <Radix.Root {...choice} className="grid min-w-0 gap-4">
      <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map(({ id, label: text }) => (
          <Radix.Trigger
            key={id}
            value={id}
            className="-mb-px rounded-t-md -outline-offset-2 border-b-2 border-transparent px-3 py-2 font-medium whitespace-nowrap text-muted hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
          >
            {text}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ id, content }) => (
        <Radix.Content key={id} value={id} className="min-w-0">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
