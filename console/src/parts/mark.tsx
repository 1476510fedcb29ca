/** The logo of the platform. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" className="size-7 shrink-0" aria-hidden="true">
      <rect width="32" height="32" rx="7" className="fill-accent" />
      <path d="M8 10h16v3.4H17.8V23h-3.6v-9.6H8z" className="fill-on-accent" />
    </svg>
  )
}
