import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

interface MenuProps {
  readonly trigger: ReactNode
  readonly children: ReactNode
  /** For a menu that is rendered only when the user opens it. */
  readonly isOpenAtFirst?: boolean
}

export function Menu({ trigger, children, isOpenAtFirst = false }: MenuProps) {
  return (
    <Radix.Root modal={false} defaultOpen={isOpenAtFirst}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-44 rounded-lg border border-line bg-surface p-1 shadow-lg"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface MenuItemProps {
  readonly onSelect: () => void
  readonly isDangerous?: boolean
  readonly children: ReactNode
}

export function MenuItem({ onSelect, isDangerous, children }: MenuItemProps) {
  return (
    <Radix.Item
      onSelect={onSelect}
      className={classNames(
        'flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 outline-none data-highlighted:bg-raised',
        isDangerous === true && 'text-bad',
      )}
    >
      {children}
    </Radix.Item>
  )
}

export function MenuNote({ children }: { readonly children: ReactNode }) {
  return <div className="px-2.5 py-1.5 text-xs text-muted">{children}</div>
}

export function MenuLine() {
  return <Radix.Separator className="my-1 h-px bg-line" />
}
