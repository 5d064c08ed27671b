import { useSearch } from '@tanstack/react-router'
import { HomePage } from '@/features/home'

export function HomeRoutePage() {
  const { agent, images, mask } = useSearch({ from: '/signed-in/' })
  return <HomePage agent={agent} images={images} mask={mask} />
}
