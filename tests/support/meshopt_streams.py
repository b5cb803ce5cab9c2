"""Data compressed by the meshoptimizer encoder, and decompressed by its decoder."""

import base64
import zlib

# Name: mode, filter, count, stride, compressed data, decompressed data (both deflated).
STREAMS = {
    "shorts, level 2, version 0": (
        "ATTRIBUTES",
        "NONE",
        37,
        8,
        (
            "eNpboMWWhg4SGMBA1Grf+tUatx9sWrv11a9963f9+/n/t77J6gMMDOtWihrY8DPrOjn6eHsc+GDD"
            "6c7Ha2bKDJSxsWZgkGcQbUj59U9ywqG4r1Ea+Vy+nDny+0w52EM0ioMW9djdK/8PVJiy50TQcXmG"
            "okuTnbeV+fex2s9YKvLUQf7Qb/MddcvPmW+2EeXQ3h0OUvmuUZ3jJwNOECjOzvDlAgAlH0XF"
        ),
        (
            "eNoVzU0ow3Ecx/G31H79S5TS1LJMM6MUKSZKqWlNrVa0shTJGBNbQx7ykIe4qDkZ7k4eLqIclIPz"
            "DktSbjtwJkrEx+nVu299vhC2G95zxYxieLVsxGR9ymJMRr0ljMtHWxlfLkNkuJwJdfC4gkm5n64k"
            "Id9uHEzJmmsn9x7DyYGLaXW+4GZGvmTqSMqLowZS8tLbiN1t2As0kVbv+lqYlbfZVubkuaOdeVn6"
            "28mH0X60iwX152E3i///evwsyarTAMuyOdPLt0P3thAr6ur+MKsyGexjTV6FIqzLB98A8SKD/2mQ"
            "DbV1NsSm7KgdYUtmCzG25U8uzrPT4Mkn2FHfRf4AzApDOw=="
        ),
    ),
    "shorts, level 0, version 1": (
        "ATTRIBUTES",
        "NONE",
        37,
        8,
        (
            "eNpbGBnFxZaGCuQZ2EBA1Grf+tUatx9sWrv11a9963f9+/n/t77J6gMMDOtWMiT16Do5+nh7GB5z"
            "5+M1M2VilGCwseZnEG1I+fVPcsKhuK9RGvlcvpw58vtMOdhDNIqDFvXY3SuXZ0jZcyLoOD9D0aXJ"
            "ztvK/PtY7WcsFXnqIH/ot/mOuuXnzDfbiHJo7w6XZ3jXqM7xkwENBIqzM3y5wMAAAAZ/QL8="
        ),
        (
            "eNoVzU0ow3Ecx/G31H79S5TS1LJMM6MUKSZKqWlNrVa0shTJGBNbQx7ykIe4qDkZ7k4eLqIclIPz"
            "DktSbjtwJkrEx+nVu299vhC2G95zxYxieLVsxGR9ymJMRr0ljMtHWxlfLkNkuJwJdfC4gkm5n64k"
            "Id9uHEzJmmsn9x7DyYGLaXW+4GZGvmTqSMqLowZS8tLbiN1t2As0kVbv+lqYlbfZVubkuaOdeVn6"
            "28mH0X60iwX152E3i///evwsyarTAMuyOdPLt0P3thAr6ur+MKsyGexjTV6FIqzLB98A8SKD/2mQ"
            "DbV1NsSm7KgdYUtmCzG25U8uzrPT4Mkn2FHfRf4AzApDOw=="
        ),
    ),
    "shorts, level 3, version 1": (
        "ATTRIBUTES",
        "NONE",
        37,
        8,
        (
            "eNpbGPmLiy0NFcgzsIGAqNW+9auvq8hvWuv16lffetd/P39fOL36AAPDupUMST26zs4+Pu6Gx9z5"
            "+MzNGBklGGxsGEQbUn79k5xwKO5rlEY+ly9njvw+Uw72EI3ioEU9dvfKU/acCDrOUHRpsvO2Mv8+"
            "VvsZS0WeOsgf+m2+o275OfPNNqIc2rvD3zWqc/xkQAOB4uwMXy4wMgAAUKA/ag=="
        ),
        (
            "eNoVzU0ow3Ecx/G31H79S5TS1LJMM6MUKSZKqWlNrVa0shTJGBNbQx7ykIe4qDkZ7k4eLqIclIPz"
            "DktSbjtwJkrEx+nVu299vhC2G95zxYxieLVsxGR9ymJMRr0ljMtHWxlfLkNkuJwJdfC4gkm5n64k"
            "Id9uHEzJmmsn9x7DyYGLaXW+4GZGvmTqSMqLowZS8tLbiN1t2As0kVbv+lqYlbfZVubkuaOdeVn6"
            "28mH0X60iwX152E3i///evwsyarTAMuyOdPLt0P3thAr6ur+MKsyGexjTV6FIqzLB98A8SKD/2mQ"
            "DbV1NsSm7KgdYUtmCzG25U8uzrPT4Mkn2FHfRf4AzApDOw=="
        ),
    ),
    "floats, level 2, version 0": (
        "ATTRIBUTES",
        "NONE",
        37,
        8,
        (
            "eNpbIM/A63y7ivnTkoM8O/XfNq9MEXxYu1gv/+Q6i2s8ielbc8rOH2BguK3h+1Ke4Z50mEFxwvLD"
            "Vz6lSEs8Zz7f2q5gduRX8e4Pi9cW9sSZ/Qcq/Bj7JYNVniHzxyQ/Bz0ZNm5FY+fA9af2qR0o8bLR"
            "EGMSVrV0T98NVtkxd1eEm6gFAwNjzQcg8Y/lAQMDw395hrcMHe0uLi6nlSDg7XsU2AHS2tXR0dEl"
            "z/AeRaUKqkKISqC6jg59BoH/HRVAlSZQlQJCyFCIo2NFAwMIMBo0MDBVMRAAAFdGclQ="
        ),
        (
            "eNpjYICAn/mn7To7OGyvJ7rbd3Z02Gb2TLA/e+aM7bIl24F8DrslWdftV6/SspOd9Q4o7mOX7/bH"
            "/v27PDu+J/9B6u1E/H7az5o502778RdAdavs5v88Z79n9247jddrQObYPfvebH/v7l27ic3aQH3v"
            "7A43TrADWmu/S/L9XqD59p7XmPYLCgrac01K2j9rpqT9jkVz9ispKdmf33twP9Be++ny9/cbGxvb"
            "G835vH/Pbmv7zqR/+11cXOyXsvzfD3SPvUDN1/2hoaH2YlqP9t+7G2v/9PLR/WlpafYbZy3cD3Sn"
            "fdiD3P3l5eX2Pfz8+xkYGuyPa2ntc3FpsY/cmAf0d4d9ZJM80J099rl/auwFBSfauxmssA8NnWp/"
            "Ufc0yF/2AEhyi9M="
        ),
    ),
    "floats, level 0, version 1": (
        "ATTRIBUTES",
        "NONE",
        37,
        8,
        (
            "eNpbGBrKz8DrfLuK+dOSgzw79d82r0wRfFi7WC//5DqLazyJ6VtzymQZbmv4vuRnuCcdZlCcsPzw"
            "lU8p0hLPmc+3tiuYHflVvPvD4rWFPXFm8gwfY79ksPIzZP6Y5OegJ8PGrWjsHLj+1D61AyVeNhpi"
            "TMKqlu7pu4HqOubuinBjYGuoYWJkbvjHwsjM8J+Jn+EtQ0e7i4vLaSUIePseBXbIM3R1dHR08TO8"
            "R1GngqoMpA6oqqODn0Hgf0cFUJ0JVJ2AEDIU4pBn4ODg4uBgEGqoYmJiwAMAzS5oDA=="
        ),
        (
            "eNpjYICAn/mn7To7OGyvJ7rbd3Z02Gb2TLA/e+aM7bIl24F8DrslWdftV6/SspOd9Q4o7mOX7/bH"
            "/v27PDu+J/9B6u1E/H7az5o502778RdAdavs5v88Z79n9247jddrQObYPfvebH/v7l27ic3aQH3v"
            "7A43TrADWmu/S/L9XqD59p7XmPYLCgrac01K2j9rpqT9jkVz9ispKdmf33twP9Be++ny9/cbGxvb"
            "G835vH/Pbmv7zqR/+11cXOyXsvzfD3SPvUDN1/2hoaH2YlqP9t+7G2v/9PLR/WlpafYbZy3cD3Sn"
            "fdiD3P3l5eX2Pfz8+xkYGuyPa2ntc3FpsY/cmAf0d4d9ZJM80J099rl/auwFBSfauxmssA8NnWp/"
            "Ufc0yF/2AEhyi9M="
        ),
    ),
    "floats, level 3, version 1": (
        "ATTRIBUTES",
        "NONE",
        37,
        8,
        (
            "eNpbWG/PwOt8u4r505KDPDv13zavTBF8WLtYL//kOotrPInpW3PKbjNo+L5kuCcdZlCcsPzwlU8p"
            "0hLPmc+3tiuYHflVvPvD4rWFPXFmH2O/ZLAyZP6Y5OegJ8PGrWjsHLj+1D61AyVeNhpiTMKqlu7p"
            "u8065u6KcGNga6hhYmRu+MfCyMzwn4nhLUNHu4uLy2klCHj7HgV2dHV0dHQxvGPo6AAqOgNV9A4V"
            "dIABgwBDRwVQkQlEjYqAEDIU4uDg4OLgYGRjqGJkwA4YAQAgZYA="
        ),
        (
            "eNpjYICAn/mn7To7OGyvJ7rbd3Z02Gb2TLA/e+aM7bIl24F8DrslWdftV6/SspOd9Q4o7mOX7/bH"
            "/v27PDu+J/9B6u1E/H7az5o502778RdAdavs5v88Z79n9247jddrQObYPfvebH/v7l27ic3aQH3v"
            "7A43TrADWmu/S/L9XqD59p7XmPYLCgrac01K2j9rpqT9jkVz9ispKdmf33twP9Be++ny9/cbGxvb"
            "G835vH/Pbmv7zqR/+11cXOyXsvzfD3SPvUDN1/2hoaH2YlqP9t+7G2v/9PLR/WlpafYbZy3cD3Sn"
            "fdiD3P3l5eX2Pfz8+xkYGuyPa2ntc3FpsY/cmAf0d4d9ZJM80J099rl/auwFBSfauxmssA8NnWp/"
            "Ufc0yF/2AEhyi9M="
        ),
    ),
    "bits": (
        "ATTRIBUTES",
        "NONE",
        37,
        4,
        (
            "eNpbGCrKoJbGwsA5c4IiAwMDK5tDC1MKwyQHFgYmUSaWSSkqHCkcDg0MDKIMKpwKDooMKipADjbA"
            "CMQA39EI8Q=="
        ),
        ("eNpVjAEKADAIAr3/f3praTEhOEMVkupKtKGh38Q9khMT3N4nt3Ypg06aGEPspQMOEAAw"),
    ),
    "wide": (
        "ATTRIBUTES",
        "NONE",
        20,
        256,
        (
            "eNpb+H8VZYDhI8eMu5zrjmkpnq8Q5wqK31WkfIOh68KNR0kBTn7M33b3bTdjXC5X08KQzin9au2O"
            "zWvupvWZrduwV4sxeSnDqun7GPwq5yXzfC7aaDGNq7TBgGnGFP/lDKOAbAAA5sBQ0A=="
        ),
        (
            "eNqbMcV/OcMIBvI3pf+MZP8rO4ptGMn+z1/LwT+S/c8gVzui/f/bX81sJPs/qLzp50j2/9YZGh4j"
            "2f+n9teJjWT/79zLLzOS/R9o4bRoJPu/91bn7ZHs/0bFJU0j2f9tR3/PG8n+X/8g+OVI9n/9/S/v"
            "RrL/73Rzbh7J/hedxfF5JPuf+cY17hHd/5dq5hnJ/gcA/EgmLg=="
        ),
    ),
    "triangles": (
        "TRIANGLES",
        "NONE",
        108,
        4,
        (
            "eNp7+E9OgA8Ez8mJ8YnyiQBpET4RJPrf////+bn+SzNPncc3fzYfx39GQTGGsvaw9IqVbamdGTMY"
            "MxkYAKFeFPM="
        ),
        (
            "eNpF0NsOgjAABNEqKtcqoIB/7u/qJifxYTKbkA6FUko5/bgi+4bssx23yG7suEP2xY57zZwfkD3i"
            "pjHyhFZj4opOs/JdM+cfyJ4xasy8YNJYeEXVXPmpmfMvZG+YNTbesWjsfGDVPPjt/wy+7dP8n/fe"
            "V923cacvdxYFow=="
        ),
    ),
    "short triangles": (
        "TRIANGLES",
        "NONE",
        108,
        2,
        (
            "eNp7+E9OgA8Ez8mJ8YnyiQBpET4RJPrf////+bn+SzNPncc3fzYfx39GQTGGsvaw9IqVbamdGTMY"
            "MxkYAKFeFPM="
        ),
        (
            "eNoVjokOwyAMxR6ko0dgDfTan+9358lyJCQTkJJekFQgKTOzZsgypmkB08SctFIWbVDkUCgcK8wU"
            "FRsslA3flK4dXAFOEdihUnQc0CgHHpShE0IXBMWFN3SKGx8YlA9++M/Ga1/7n1fuNfYam367ggWj"
        ),
    ),
    "indices": (
        "INDICES",
        "NONE",
        10,
        4,
        ("eNq7yPB//9lNLCzMe7oFew8AWaycB6aceMbLygAEAMuEC2Q="),
        ("eNpjYAACjex3jEDqv3r2uwJBRgYmIJsZiFlBclNMzdmAFACH5wWU"),
    ),
    "short indices": (
        "INDICES",
        "NONE",
        10,
        2,
        ("eNq7yHBwJTsL85w5jJtXsrNyHtjBxMoABABg2QZz"),
        ("eNpjYDAoZWTQL+0QZmJgZmBlmGHFxgAAHmECyA=="),
    ),
    "octahedral 4": (
        "ATTRIBUTES",
        "OCTAHEDRAL",
        9,
        4,
        ("eNpbuJ4hZ8mLNx3CUxoZ/rYfmnEpSC6EARMYttXXMwAAbp0MDg=="),
        ("eNpjn3SovpZDtH7+up/1fnb+9a+MeuuvH0yrv8RcVm8jlVt/NdG1HgA1hxC+"),
    ),
    "octahedral 8": (
        "ATTRIBUTES",
        "OCTAHEDRAL",
        9,
        8,
        ("eNpb+H8VwyW+ObMmndmrycAmysfPwcjFzqBVqJD78z7neQYBdh4uYTYmFgYUIMUc8uM/+/96BgYAO30PCA=="),
        (
            "eNoBSAC3/10H3ZDwwP9/DH7wB8sU/39cnn6th/n/f15OAT77T/9/V+l6MpWM/38z10LAOWf/f4nS"
            "SgKhd/9/gDzWGo5t/38I1WdhEEf/f5l5JkU="
        ),
    ),
    "quaternion": (
        "ATTRIBUTES",
        "QUATERNION",
        9,
        8,
        (
            "eNpb+H8+A3v/3dVuZ1KDGJh4OYQEmQV4Gbab//HfbLI9noGTV4KTk0GIieHAmmju9RES5Qwc/DyC"
            "ItwsLIy2Kg0MrGwMKKDv/zG2G8z/2RkYAA+nE/U="
        ),
        (
            "eNoBSAC3//b6q0yCK6pcBmEaBgEQtVGws4m/9vrdT+9M1zx2Tl/nkhK01oxecUke5f/VAERKYCXX"
            "CQJpa6zH8zg0GRtnSSve3XdNgjieTQHEIc8="
        ),
    ),
    "exponential": (
        "ATTRIBUTES",
        "EXPONENTIAL",
        9,
        16,
        (
            "eNpbOB8IGJgXHazz5jJ9xRCzdlY8O29SNCObkwMDw7HpG+s2MZy1YQhxrxMO1BEzYVSTYGBgaP5T"
            "/2PCTN/pDDaiIWuXqDHrMqolAIUTdOpPui6OjWBYx5iuv2pmihKjohoDGHQwMXxac/P/J6dX/z+t"
            "uPj/E0gMANHyKmE="
        ),
        (
            "eNoNxr0OwWAUgOF37ChiaJFoWFwCiZ4jfhIW6cTaS2EzGu2IqUlHi/MZXYDBYPFzAU0YjDzTA/WI"
            "OHDkqZG0HX5POfUjQEgaytZ3fHDMwyOHmnINlPgtfKtKODSykjHaCX7kuBUdhZmR7w3PU9ZdJdkY"
            "LDpcpv/fjfNTyMZCa6I0U2G1NF5lpfAQBhX9AVnALOk="
        ),
    ),
    "color 4": (
        "ATTRIBUTES",
        "COLOR",
        9,
        4,
        ("eNpb+J/h4RGVIz+aq+sZGsTeeL9xD2BnkJnq0uErIHWYwYyFf/oU9k4tBkzg/p7rMAMAwW4Q4g=="),
        ("eNoBJADb/yxRToft7o+8pQUxwAs5q7AD3+8YHDQcrK769qSLyYMbqSepREHzEaU="),
    ),
    "color 8": (
        "ATTRIBUTES",
        "COLOR",
        9,
        8,
        (
            "eNpb+L+e4c9JuZruK0ctGQSFmXgExNk5GBSSkvfemiy2nIGDUZCFj4WVgWFbssmi50LzUhkYOVk4"
            "WBgZeRgS1H6XOhSvXMCwiZGZk5ODiQEF5LG8/LeYwZ6HkREAWXYXZQ=="
        ),
        (
            "eNoBSAC3/0MrFVElTviHfu6u7liP+71apjAFEzFLwIEKwzeKq4qwYAO94E7wMRkSHRM1Uhw6rYqu"
            "T/wO9/qlGIwMyziDQhs6qAIm2qlERYo5Hwo="
        ),
    ),
}


def stream(name):
    """Mode, filter, count, stride, compressed bytes, decompressed bytes."""
    *how, packed, unpacked = STREAMS[name]
    return *how, *(zlib.decompress(base64.b64decode(x)) for x in (packed, unpacked))
