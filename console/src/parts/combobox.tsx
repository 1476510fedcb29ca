import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { classNames } from './class-names.ts'
import { type FieldControl, TextInput } from './field.tsx'
import type { Suggestion } from './suggestion.ts'

interface ComboboxProps {
  readonly control: FieldControl
  readonly value: string
  readonly suggestions: readonly Suggestion[]
  readonly onChange: (text: string) => void
}

/** A text with completion. Any text is allowed; the arrow keys select, Enter and Tab accept. */
export function Combobox({ control, value, suggestions, onChange }: ComboboxProps) {
  const listId = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const isShown = isOpen && suggestions.length > 0
  const chosen = isShown ? suggestions[active] : undefined
  const optionId = (position: number) => `${listId}-${position}`

  const change = (text: string) => {
    onChange(text)
    setIsOpen(true)
    setActive(-1)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextActive(event.key, active, suggestions.length)
    if (next !== undefined) {
      setIsOpen(true)
      setActive(next)
    } else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) change(chosen.value)
    else if (event.key === 'Escape' && isShown) setIsOpen(false)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="relative">
      <TextInput
        {...control}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={listId}
        {...(chosen === undefined ? {} : { 'aria-activedescendant': optionId(active) })}
        autoComplete="off"
        value={value}
        onChange={change}
        onFocus={() => setIsOpen(true)}
        onBlur={() => setIsOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div
        id={listId}
        role="listbox"
        aria-label="Suggestions"
        hidden={!isShown}
        className="absolute inset-x-0 top-full z-20 mt-1 max-h-64 overflow-y-auto rounded-md border border-line bg-surface py-1 shadow-lg"
      >
        {isShown &&
          suggestions.map(({ value: text, note }, position) => (
            <Option
              key={text}
              id={optionId(position)}
              text={text}
              note={note}
              isActive={position === active}
              onTake={() => change(text)}
            />
          ))}
      </div>
    </div>
  )
}

/** Undefined: the key has no meaning here. */
function nextActive(key: string, active: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return active + 1 >= count ? 0 : active + 1
  if (key === 'ArrowUp') return active <= 0 ? count - 1 : active - 1
  return undefined
}

interface OptionProps {
  readonly id: string
  readonly text: string
  readonly note: string | undefined
  readonly isActive: boolean
  readonly onTake: () => void
}

function Option({ id, text, note, isActive, onTake }: OptionProps) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: in a combobox the focus stays in the text field, which names the active option by aria-activedescendant
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys, since it keeps the focus
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isActive}
      className={classNames(
        'flex cursor-pointer items-baseline justify-between gap-3 px-2.5 py-1 hover:bg-raised',
        isActive ? 'bg-accent-soft' : '',
      )}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      <code className="min-w-0 break-all">{text}</code>
      {note !== undefined && <span className="max-w-2/5 shrink-0 truncate text-xs text-muted">{note}</span>}
    </div>
  )
}
