type Props = { src: string | null | undefined; name: string }

/** Of a fixed size, so that nothing moves. One that fails to load leaves the first letter of the name. */
export const Picture = ({ src, name }: Props) =>
  src ? (
    <img
      class="picture"
      part="picture"
      src={src}
      alt=""
      data-initial={[...name][0]}
      loading="lazy"
      referrerpolicy="no-referrer"
    />
  ) : null
