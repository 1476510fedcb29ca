import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export interface Tab {
  readonly id: string
  readonly label: string
  readonly content: ReactNode
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
}

/** Only the open tab is rendered. */
export function Tabs({ label, tabs }: TabsProps) {
  const [first] = tabs
  return (
    <Radix.Root defaultValue={first?.id ?? ''} className="grid min-w-0 gap-4">
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
