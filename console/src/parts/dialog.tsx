import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { classNames } from './class-names.ts'
import { CloseIcon } from './icons.tsx'
import { openerOf, returnFocus } from './opener.ts'

interface DialogProps {
  readonly title: string
  readonly description?: ReactNode
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  readonly footer?: ReactNode
  /** Stays visible above the footer. */
  readonly summary?: ReactNode
  readonly isWide?: boolean
  /** A click outside the dialog, or Escape, must not lose its content. */
  readonly isSticky?: boolean
  /** A request is under way whose answer the user must see: until then nothing closes the dialog. */
  readonly isBusy?: boolean
}

export function Dialog({ isOpen, onClose, ...content }: DialogProps) {
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && content.isBusy !== true && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Content {...content} />
      </Radix.Portal>
    </Radix.Root>
  )
}

type ContentProps = Omit<DialogProps, 'isOpen' | 'onClose'>

function Content({ title, description, children, footer, summary, isWide, isSticky, isBusy }: ContentProps) {
  // Known only before a field of the dialog takes the focus.
  const [opener] = useState(() => openerOf(document.activeElement))
  const keepOpen = (event: Event) => {
    if (isSticky === true) event.preventDefault()
  }
  return (
    <Radix.Content
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        returnFocus(opener)
      }}
      onEscapeKeyDown={keepOpen}
      onPointerDownOutside={keepOpen}
      onInteractOutside={keepOpen}
      {...(description === undefined ? { 'aria-describedby': undefined } : {})}
      className={classNames(
        'fixed inset-x-0 bottom-0 z-50 flex max-h-[94dvh] flex-col rounded-t-xl border border-line bg-surface shadow-xl sm:inset-x-auto sm:top-[8vh] sm:bottom-auto sm:left-1/2 sm:max-h-[84vh] sm:w-[calc(100vw-3rem)] sm:-translate-x-1/2 sm:rounded-xl',
        isWide === true ? 'sm:max-w-3xl' : 'sm:max-w-lg',
      )}
    >
      <header className="flex items-start justify-between gap-4 border-b border-line px-5 py-3">
        <div className="min-w-0">
          <Radix.Title className="text-base font-semibold break-words">{title}</Radix.Title>
          {description !== undefined && (
            <Radix.Description asChild>
              <div className="mt-0.5 text-muted">{description}</div>
            </Radix.Description>
          )}
        </div>
        <Radix.Close
          className="-mr-2 grid size-8 place-items-center rounded-md hover:bg-raised disabled:opacity-50"
          aria-label="Close"
          disabled={isBusy}
        >
          <CloseIcon />
        </Radix.Close>
      </header>
      <div className="min-h-0 overflow-y-auto px-5 py-4">{children}</div>
      {summary}
      {footer !== undefined && (
        <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>
      )}
    </Radix.Content>
  )
}
