// A picture of the media library, as records carry it.
import type { Site } from "../site/site.ts";
import type { StoreReader } from "../store/memory.ts";
import type { JsonObject } from "../view/parts.ts";

/** The picture that is named by its id or its address, or undefined. */
export function formatImage(site: Site, data: StoreReader, named: string): JsonObject | undefined {
  const folder = `${site.origin}/wp-content/uploads/`;
  const picture = data.all("pictures").find(({ id, name }) => String(id) === named || folder + name === named);
  if (picture === undefined) return undefined;
  const { id, name, width, height } = picture;
  const [, stem = name, extension = ""] = /^(.*)\.(\w+)$/.exec(name) ?? [];
  const size = (factor: number): JsonObject => {
    const [wide, high] = [Math.round(width / factor), Math.round(height / factor)];
    return {
      width: wide,
      height: high,
      "mime-type": "image/jpeg",
      filesize: wide * high,
      url: `${folder}${stem}-${wide}x${high}.${extension}`,
    };
  };
  return { url: folder + name, id, extension, width, height, filesize: width * height, sizes: { medium: size(4), thumbnail: size(8) } };
}
