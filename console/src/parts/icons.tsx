import type { ReactNode } from 'react'

function Icon({ children }: { readonly children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 16 16"
      className="size-4 shrink-0"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

export const CloseIcon = () => (
  <Icon>
    <path d="m4 4 8 8M12 4l-8 8" />
  </Icon>
)
export const CopyIcon = () => (
  <Icon>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.500h1.500" />
  </Icon>
)
export const CheckIcon = () => (
  <Icon>
    <path d="m3 8.500 3.500 3.500L13 4.500" />
  </Icon>
)
export const MenuIcon = () => (
  <Icon>
    <path d="M2.500 4h11M2.500 8h11M2.500 12h11" />
  </Icon>
)
export const MoreIcon = () => (
  <Icon>
    <path d="M3.500 8h.01M8 8h.01M12.500 8h.01" strokeWidth="2.500" />
  </Icon>
)
export const SearchIcon = () => (
  <Icon>
    <circle cx="7" cy="7" r="4.500" />
    <path d="m10.500 10.500 3 3" />
  </Icon>
)
export const PlusIcon = () => (
  <Icon>
    <path d="M8 3v10M3 8h10" />
  </Icon>
)
export const SunIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="2.750" />
    <path d="M8 1.500v1.200M8 13.300v1.200M1.500 8h1.200M13.300 8h1.200M3.400 3.400l.9.9M11.700 11.700l.9.9M12.600 3.400l-.9.9M4.300 11.700l-.9.9" />
  </Icon>
)
export const MoonIcon = () => (
  <Icon>
    <path d="M13.500 9.500A5.800 5.800 0 0 1 6.500 2.500a5.800 5.800 0 1 0 7 7Z" />
  </Icon>
)
export const KeyIcon = () => (
  <Icon>
    <circle cx="5" cy="11" r="2.500" />
    <path d="m7 9 6-6M11 5l1.500 1.500M9 7l1.200 1.200" />
  </Icon>
)
export const OverviewIcon = () => (
  <Icon>
    <rect x="2.500" y="2.500" width="4.500" height="4.500" rx="1" />
    <rect x="9" y="2.500" width="4.500" height="4.500" rx="1" />
    <rect x="2.500" y="9" width="4.500" height="4.500" rx="1" />
    <rect x="9" y="9" width="4.500" height="4.500" rx="1" />
  </Icon>
)
export const UserIcon = () => (
  <Icon>
    <circle cx="8" cy="5.500" r="2.750" />
    <path d="M2.500 13.500c.6-2.600 2.800-4 5.500-4s4.900 1.400 5.500 4" />
  </Icon>
)
export const TeamIcon = () => (
  <Icon>
    <circle cx="6" cy="5.500" r="2.300" />
    <path d="M1.500 13c.5-2.300 2.300-3.500 4.500-3.500s4 1.200 4.500 3.500M10.500 3.500a2.300 2.300 0 0 1 0 4.200M12.200 9.800c1.300.5 2.100 1.600 2.400 3.200" />
  </Icon>
)
export const ProjectIcon = () => (
  <Icon>
    <path d="M2 4.500A1.500 1.500 0 0 1 3.500 3h3L8 4.500h4.500A1.500 1.500 0 0 1 14 6v5.500a1.500 1.500 0 0 1-1.500 1.500h-9A1.500 1.500 0 0 1 2 11.500z" />
  </Icon>
)
export const ClusterIcon = () => (
  <Icon>
    <rect x="2.500" y="2.500" width="11" height="4.500" rx="1" />
    <rect x="2.500" y="9" width="11" height="4.500" rx="1" />
    <path d="M5 4.750h.01M5 11.250h.01" strokeWidth="2" />
  </Icon>
)
export const TenantIcon = () => (
  <Icon>
    <path d="m8 1.800 5.500 3v6.400l-5.500 3-5.500-3V4.800z" />
    <path d="m2.500 4.800 5.500 3 5.500-3M8 7.800v6.400" />
  </Icon>
)
export const PatchIcon = () => (
  <Icon>
    <path d="m5.500 4.500-3 3.500 3 3.500M10.500 4.500l3 3.500-3 3.500M9 3 7 13" />
  </Icon>
)
