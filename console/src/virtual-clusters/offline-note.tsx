/** Why nothing inside can be shown. */
export function OfflineNote() {
  return (
    <p className="text-muted">
      The virtual cluster is not linked to the platform now, so its content cannot be shown. Its sync continues without
      the platform.
    </p>
  )
}
